import type { GrantedStreamTerms } from '../../src/grants/grant.ts';
import { boxes, entries, letters, type Place } from './granted-sources.ts';
import type { Data, Step } from './story-step.ts';
import { openStory, plainSetting, type StoryWorld } from './story-world.ts';

export const home: Place = { connection: 'post_home', spec: letters };
export const homeBoxes: Place = { connection: 'post_home', spec: boxes };
export const work: Place = { connection: 'post_work', spec: letters };
export const diary: Place = { connection: 'log_main', spec: entries };

export function put(place: Place, key: string, data: Data): Step {
  return { place, key, data: { id: key, ...data } };
}

/** Only January 2026 of some letters, and of these not the body, the folder or whatever is not declared. */
export const canaryTerms: GrantedStreamTerms = {
  connection_id: 'post_home',
  stream: 'letters',
  fields: ['id', 'sent_at', 'title', 'size', 'box_id', 'tags'],
  time_field: 'sent_at',
  since: Date.parse('2026-01-01T00:00:00Z'),
  until: Date.parse('2026-02-01T00:00:00Z'),
  keys: ['seen-1', 'seen-2', 'seen-early', 'seen-timeless'],
};

const JANUARY = '2026-01-15T12:00:00Z';

/** Every way to be hidden has a record that says "canary"; the word "lantern" is in all of them and in two that are seen. */
export const canarySteps: readonly Step[] = [
  put(home, 'seen-1', {
    sent_at: JANUARY,
    title: 'lantern one',
    size: 1,
    box_id: 'box-1',
    body: 'canary body lantern',
    folder: 'canary folder',
    undeclared: 'canary',
  }),
  put(home, 'seen-2', {
    sent_at: '2026-01-16T12:00:00+02:00',
    title: 'lantern two',
    size: 2,
    tags: ['a'],
    body: 'canary',
  }),
  put(home, 'seen-early', { sent_at: '2025-12-31T23:59:59.999Z', title: 'lantern canary early', size: 100 }),
  put(home, 'seen-timeless', { sent_at: 'yesterday', title: 'lantern canary timeless', size: 1_000 }),
  put(home, 'unseen-key', { sent_at: JANUARY, title: 'lantern canary key', size: 10_000 }),
  put(homeBoxes, 'box-1', { label: 'lantern canary box', notes: 'canary' }),
  put(work, 'seen-1', { sent_at: JANUARY, title: 'lantern canary connection', size: 100_000 }),
  put(diary, 'seen-1', { day: '2026-01-15', mood: 'canary', note: 'lantern canary diary' }),
];

export async function openCanaryWorld(
  terms: readonly GrantedStreamTerms[] = [canaryTerms],
): Promise<StoryWorld & { token: string }> {
  const world = await openStory(plainSetting('UTC'));
  await world.apply(canarySteps);
  return { ...world, token: await world.issue(terms) };
}

/** Names that would mean something to a database if they ever got there as text. */
const NAMES = [
  'id"; drop table records;--',
  "a'||(select data from records)||'",
  '$.body',
  'a"].b["c',
  'rowid',
  'data',
];

/** What the syntax of full-text queries could make of a word, were it let through. */
const SYNTAX = [
  ...[
    '"',
    'lantern AND',
    'NEAR(',
    '-canary',
    'body:canary',
    '{c0 c1 c2} : canary',
    'c1:canary',
    '^canary',
    '*',
    '(',
  ],
  ...['canary\0lantern', '😀', 'lantern '.repeat(600), 'canary*', 'lantern" OR "canary'],
];

/** Every tool with every option, aimed at what is granted, at what is hidden, and at what does not exist. */
export const everyCall: Readonly<Record<string, readonly Record<string, unknown>[]>> = {
  schema: [
    {},
    ...targets().flatMap((target) => [target, { ...target, detail: 'full' }]),
    ...['post_home', 'post_work', 'zzz', '*'].map((connection_id) => ({ connection_id })),
  ],
  query_records: targets().flatMap((target) => [
    target,
    { ...target, count: 'exact', limit: 1 },
    { ...target, sort: '-size', fields: ['id', 'title'] },
    { ...target, sort: 'folder' },
    { ...target, fields: ['body'] },
    { ...target, filter: { title: 'lantern canary key' } },
    { ...target, filter: { sent_at: { gte: '2020-01-01' } } },
    { ...target, filter: { id: ['unseen-key', 'seen-early', 'seen-timeless'] } },
    { ...target, filter: { folder: 'canary folder' } },
    { ...target, filter: { sent_at: null } },
    { ...target, changes_since: 'beginning' },
    { ...target, expand: ['box'] },
    ...NAMES.flatMap((name) => [
      { ...target, sort: name },
      { ...target, fields: [name] },
      { ...target, filter: { [name]: "' OR 1=1--" } },
    ]),
  ]),
  aggregate: targets().flatMap((target) => [
    target,
    { ...target, metric: 'sum', field: 'size' },
    { ...target, metric: 'max', field: 'sent_at' },
    { ...target, group_by: ['title'] },
    { ...target, group_by: ['folder'] },
    { ...target, group_by: ['id', 'box_id'], limit: 1 },
    { ...target, interval: 'month' },
    { ...target, metric: 'count_distinct', field: 'title' },
    ...NAMES.map((name) => ({ ...target, group_by: [name] })),
  ]),
  search: [
    ...['lantern', 'canary', 'lantern canary', 'cannary', 'canar', 'body', 'timeless'].map((query) => ({
      query,
    })),
    ...targets().map(({ stream, ...rest }) => ({ query: 'lantern', streams: [stream], ...rest })),
    { query: 'lantern', since: '2020-01-01', until: '2030-01-01' },
    { query: 'lantern', filter: { folder: 'canary folder' } },
    { query: 'lantern', limit: 1 },
    ...SYNTAX.map((query) => ({ query })),
  ],
  fetch: [
    ...['seen-1', 'seen-2', 'seen-early', 'seen-timeless', 'unseen-key', 'unse', 'seen', 'zzz'].map(
      (key) => ({
        id: `post_home/letters/${key}`,
      }),
    ),
    ...['post_work/letters/seen-1', 'post_home/boxes/box-1', 'log_main/entries/seen-1', 'letters/seen-1'].map(
      (id) => ({ id }),
    ),
    { id: 'post_home/letters/seen-1', field: 'body' },
    { id: 'post_home/letters/seen-1', fields: ['title', 'folder'] },
    { id: 'post_home/letters/seen-1', field: 'undeclared' },
    { id: 'post_home/letters/seen-1', field: 'title', offset: 2 },
    { id: 'post_home/letters/seen-1', expand: ['box'] },
  ],
};

function targets(): { stream: string; connection_id?: string }[] {
  return [
    { stream: 'letters' },
    { stream: 'letters', connection_id: 'post_home' },
    { stream: 'letters', connection_id: 'post_work' },
    { stream: 'letters', connection_id: '*' },
    { stream: 'boxes' },
    { stream: 'entries', connection_id: 'log_main' },
    { stream: 'zzz' },
  ];
}
