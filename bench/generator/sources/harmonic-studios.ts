import { getMemberId, listActions, origin } from './harmonic-book.ts';
import { pageActions, studios } from './harmonic-texts.ts';
import { at, createId, type Row } from './team-tool.ts';
import { people } from './waypoint-team.ts';

/** Studios, their members and what can be done on each kind of page. */
export function describeStudios(rows: Record<string, Row[]>): Record<string, Row[]> {
  const count = (stream: string, studioId: string, status?: string) =>
    (rows[stream] ?? []).filter((row) => row.studio_id === studioId && (!status || row.status === status))
      .length;
  const described = studios.map((studio, index) => {
    const studioId = createId('studio', index);
    return {
      studio_id: studioId,
      handle: studio.handle,
      name: studio.name,
      description: studio.description,
      shareable_url: `${origin}/${studio.handle}`,
      member_count: studio.members,
      note_count: count('notes', studioId),
      open_decision_count: count('decisions', studioId, 'open'),
      open_commitment_count: count('commitments', studioId, 'open'),
      available_actions: listActions('studio'),
      created_at: at(-20 + index),
    };
  });
  const members = studios.flatMap((studio, index) =>
    people.slice(0, studio.members).map((person, place) => ({
      member_id: getMemberId(index, place),
      studio_id: createId('studio', index),
      handle: person.handle,
      name: person.name,
      role: place === 0 ? 'admin' : 'member',
      shareable_url: `${origin}/${studio.handle}/u/${person.handle}`,
      joined_at: at(-20 + index, place),
    })),
  );
  const actions = Object.entries(pageActions).flatMap(([pageType, list]) =>
    list.map(([name, description, parameters]) => ({
      action_id: `${pageType}-${name}`,
      page_type: pageType,
      name,
      description,
      required_parameters: parameters.filter((parameter) => !parameter.endsWith('?')),
      optional_parameters: parameters
        .filter((parameter) => parameter.endsWith('?'))
        .map((name) => name.slice(0, -1)),
      updated_at: at(-25),
    })),
  );
  return { studios: described, members, page_actions: actions };
}
