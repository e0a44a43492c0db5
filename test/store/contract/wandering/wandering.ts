import type { GrantedStreamTerms } from '../../../../src/grants/grant.ts';
import { home, put } from '../../../support/canary-world.ts';
import type { Step } from '../../../support/story-step.ts';
import { openStory, plainSetting, type StoryWorld } from '../../../support/story-world.ts';

/**
 * What can befall a record: edited so that it shows, put inside the window as it was seen last, put outside of it,
 * deleted. From there a record returns by the first two.
 */
const MOVES = ['edit', 'same', 'outside', 'delete'] as const;
type Move = (typeof MOVES)[number];

/** Every sequence of that many moves; its letters are the key of the record that lives through it. */
export function listLives(length: number): Move[][] {
  if (length === 0) return [[]];
  return listLives(length - 1).flatMap((life) => MOVES.map((move) => [...life, move]));
}

const nameLife = (life: readonly Move[]): string => life.map((move) => move[0]).join('');

const FIRST = '!';
const SINCE = Date.parse('2026-01-01T00:00:00Z');
const UNTIL = Date.parse('2026-02-01T00:00:00Z');
const letters = { stream: 'letters', connection_id: 'post_home' };
const windowed = { ...letters, time_field: 'sent_at', since: SINCE, until: UNTIL };

/** Grants that hide a record outside the window, and one that has no window and does not see the time at all. */
export const grants: Record<string, (keys: string[]) => GrantedStreamTerms> = {
  'a window': () => ({ ...windowed, fields: ['id', 'sent_at', 'title'] }),
  'a window on a hidden time': () => ({ ...windowed, fields: ['id', 'title'] }),
  'a window and keys': (keys) => ({
    ...windowed,
    fields: ['id', 'title'],
    keys: [FIRST, ...keys.filter((_, at) => at % 3 !== 0)],
  }),
  'a hidden time without a window': () => ({ ...letters, fields: ['id', 'title'] }),
};

/** Whether a record shows, and as what. */
interface Seen {
  readonly shows: boolean;
  readonly title: string;
}

function follow(seen: Seen, move: Move | 'nothing', at: number, hasWindow: boolean): Seen {
  switch (move) {
    case 'edit':
      return { shows: true, title: `edited ${at}` };
    case 'same':
      return { ...seen, shows: true };
    case 'outside':
      return { ...seen, shows: !hasWindow };
    case 'delete':
      return { ...seen, shows: false };
    case 'nothing':
      return seen;
  }
}

/** The plainest life that looks the same: nothing where nothing shows, and leaving only by moving out. */
function plain(move: Move, before: Seen, after: Seen, hasWindow: boolean): Move | 'nothing' {
  if (before.shows && !after.shows) return hasWindow ? 'outside' : 'delete';
  if (before.shows === after.shows && before.title === after.title) return 'nothing';
  return move === 'edit' ? 'edit' : 'same';
}

function makeSteps(
  key: string,
  life: readonly Move[],
  hasWindow: boolean,
  twin: boolean,
): (Step | undefined)[] {
  let seen: Seen = { shows: false, title: 'first' };
  return life.map((asked, at) => {
    const after = follow(seen, asked, at, hasWindow);
    const move = twin ? plain(asked, seen, after, hasWindow) : asked;
    seen = after;
    if (move === 'nothing') return undefined;
    if (move === 'delete') return { place: home, key, data: undefined };
    const sent_at = move === 'outside' ? `2025-0${at + 1}-01T00:00:00Z` : '2026-01-10T00:00:00Z';
    const hidden = twin ? {} : { folder: `hidden ${at}`, size: at };
    return put(home, key, { sent_at, title: seen.title, ...hidden });
  });
}

/** A world with a record for each life, told move by move. */
export interface WanderingWorld {
  readonly world: StoryWorld;
  readonly token: string;
  /** Moves every record, and one that is always seen first. */
  move(at: number): Promise<void>;
}

/** In the twin everything goes the plainest way that looks the same to the grant. */
export async function openWandering(
  lives: readonly Move[][],
  makeTerms: (keys: string[]) => GrantedStreamTerms,
  twin: boolean,
): Promise<WanderingWorld> {
  const world = await openStory(plainSetting('UTC'));
  const terms = makeTerms(lives.map(nameLife));
  const hasWindow = terms.since !== undefined;
  const told = lives.map((life) => makeSteps(nameLife(life), life, hasWindow, twin));
  return {
    world,
    token: await world.issue([terms]),
    async move(at) {
      const bystander = put(home, FIRST, { sent_at: '2026-01-31T00:00:00Z', title: ` bystander ${at}` });
      await world.apply([bystander, ...told.flatMap((steps) => steps[at] ?? [])]);
    },
  };
}

/** Reads on from a handle to the end. Rows as text, by their ids. */
export async function readOn(
  { world, token }: WanderingWorld,
  args: Record<string, unknown>,
): Promise<{ rows: string[]; next: string | undefined }> {
  const rows: string[] = [];
  let cursor = args.cursor;
  for (;;) {
    const more = cursor === undefined ? {} : { cursor };
    const result = await world.call(token, 'query_records', { ...letters, limit: 100, ...args, ...more });
    const body = result.structuredContent;
    if (result.isError === true) throw new Error(JSON.stringify(body));
    rows.push(...body.data.map((row: object) => JSON.stringify(row)));
    cursor = body.next_cursor;
    if (cursor === undefined) return { rows, next: body.next_changes_since };
  }
}

/** Only the first row, so that all else is read later; and the handle for it. */
export async function readFirst(
  { world, token }: WanderingWorld,
  args: Record<string, unknown>,
): Promise<string | undefined> {
  const result = await world.call(token, 'query_records', { ...letters, ...args, limit: 1 });
  return result.structuredContent.next_cursor as string | undefined;
}
