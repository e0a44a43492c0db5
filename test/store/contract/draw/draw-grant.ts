import type { GrantedStreamTerms } from '../../../../src/grants/grant.ts';
import type { Draw } from '../../../support/draw.ts';
import { type Land, type Place, placesOf, postAndLog } from '../../../support/granted-sources.ts';
import type { Step } from '../../../support/story-step.ts';
import { readDay, readInstant } from '../oracle/oracle-values.ts';
import { KEYS, type Story } from './draw-records.ts';

/** Some connections, some streams, some fields, and here and there a window or a list of keys. */
export function drawGrant(draw: Draw, story: Story, land: Land = postAndLog): GrantedStreamTerms[] {
  const places = placesOf(land);
  const terms = draw.some(places, 65).map((place) => drawTerms(draw, story, place));
  return terms.length > 0 ? terms : [drawTerms(draw, story, draw.pick(places))];
}

/** Everything: answers with many groups and pages are rare under narrow grants. */
export function grantEverything(land: Land = postAndLog): GrantedStreamTerms[] {
  return placesOf(land).map(({ connection, spec: { name, fields, timeField } }) => ({
    connection_id: connection,
    stream: name,
    fields: Object.keys(fields),
    ...(timeField === undefined ? {} : { time_field: timeField }),
  }));
}

/** A stream with some of its fields, and perhaps a window or keys. */
export function drawTerms(draw: Draw, story: Story, place: Place): GrantedStreamTerms {
  const { name, fields, primaryKey, timeField } = place.spec;
  const steps = [...story.first, ...story.later].filter((step) => step.place === place);
  const share = draw.pick([40, 75, 100]);
  return {
    connection_id: place.connection,
    stream: name,
    fields: Object.keys(fields).filter((field) => primaryKey.includes(field) || draw.chance(share)),
    ...(timeField === undefined ? {} : { time_field: timeField }),
    ...(timeField !== undefined && draw.chance(45) ? drawWindow(draw, story, steps, timeField) : {}),
    ...(draw.chance(25) ? { keys: drawKeys(draw, steps) } : {}),
  };
}

/** Bounds exactly at a record, a millisecond before it, or a millisecond after it. */
function drawWindow(draw: Draw, story: Story, steps: readonly Step[], field: string) {
  const times = steps
    .map((step) => String(step.data?.[field]))
    .map((text) => (field === 'day' ? readDay(text) : readInstant(text, story.timeZone)))
    .filter((time) => time !== undefined);
  const bound = () => (times.length === 0 ? 0 : draw.pick(times)) + draw.pick([-1, 0, 0, 1]);
  const [a, b] = [bound(), bound()];
  switch (draw.upTo(2)) {
    case 0:
      return { since: a };
    case 1:
      return { until: a };
    default:
      return { since: Math.min(a, b), until: Math.max(a, b) };
  }
}

/** Keys that exist, and some that do not. */
function drawKeys(draw: Draw, steps: readonly Step[]): string[] {
  const known = [...new Set([...steps.map((step) => step.key), ...KEYS, '["s1","0"]', 'no-such-key'])];
  return draw.some(known, 45);
}
