import { expect } from 'vitest';
import type { GrantedStreamTerms } from '../../src/grants/grant.ts';
import { checkDrawn, type Draw, type Runs } from '../support/draw.ts';
import { drawGrant } from '../support/draw-grant.ts';
import { drawStory } from '../support/draw-records.ts';
import { type DrawnRequest, drawRequest } from '../support/draw-request.ts';
import { openStory, plainSetting, type StoryWorld } from '../support/story-world.ts';
import { HIDDEN_NAMES, NEAR_WORDS, Twister, twistSetting } from '../support/twist-story.ts';
import type { ToolResult } from '../support/world.ts';

const REQUESTS = 24;
const MOST_PAGES = 60;

/** One reader of two worlds that look the same to it. */
export interface Pair {
  readonly here: { readonly world: StoryWorld; readonly token: string };
  readonly there: { readonly world: StoryWorld; readonly token: string };
  /** Changes something in the second world that the reader must not notice. */
  disturb(): Promise<void>;
}

/** For random stores and grants, a second store that differs only in what is hidden answers the same bytes. */
export async function checkTwoWorlds(runs: Runs): Promise<number> {
  let requests = 0;
  await checkDrawn(runs, async (draw) => {
    requests += await checkPair(draw);
  });
  return requests;
}

async function checkPair(draw: Draw): Promise<number> {
  const story = drawStory(draw);
  const terms = drawGrant(draw, story);
  const setting = twistSetting(draw, story.timeZone);
  const here = await openStory(plainSetting(story.timeZone));
  const there = await openStory(setting);
  try {
    const twister = new Twister(draw, terms, setting);
    await here.tell(story.first);
    await there.tell(twister.twist(story.first));
    const pair: Pair = {
      here: { world: here, token: await here.issue(terms) },
      there: { world: there, token: await there.issue(terms) },
      disturb: async () => (draw.chance(40) ? there.tell(twister.drawHidden(2)) : undefined),
    };
    const begun = await begin(pair, terms);
    await here.tell(story.later);
    await there.tell(twister.twist(story.later));
    for (const follow of begun) await follow();
    const requests = Array.from({ length: REQUESTS }, () => drawTwoWorldRequest(draw, terms));
    for (const { tool, args } of requests) await comparePages(pair, tool, args);
    await compareRest(pair, terms);
    return requests.length + begun.length;
  } finally {
    here.close();
    there.close();
  }
}

/** Handles from before the later chapter: what has changed since, and pages that were not read to the end. */
async function begin(pair: Pair, terms: readonly GrantedStreamTerms[]): Promise<(() => Promise<void>)[]> {
  const follows: (() => Promise<void>)[] = [];
  for (const { stream, connection_id } of terms) {
    const args = { stream, connection_id };
    const [since] = await compare(pair, 'query_records', { ...args, changes_since: 'now' });
    const page = await compare(pair, 'query_records', { ...args, limit: 2 });
    follows.push(
      () => comparePages(pair, 'query_records', { ...args, limit: 2 }, since?.handles),
      () => comparePages(pair, 'query_records', { ...args, limit: 2 }, page[0]?.handles),
    );
  }
  const search = { query: 'harbour velvet', limit: 1 };
  const hits = await compare(pair, 'search', search);
  follows.push(() => comparePages(pair, 'search', search, hits[0]?.handles));
  return follows;
}

interface Handle {
  cursor?: string;
  changes_since?: string;
}

type Handles = readonly [here: Handle, there: Handle];

/** Follows the handles of both worlds side by side to the end. */
export async function comparePages(
  pair: Pair,
  tool: string,
  args: Record<string, unknown>,
  handles: Handles | undefined = [{}, {}],
): Promise<void> {
  let next: Handles | undefined = handles;
  for (let page = 0; next !== undefined; page++) {
    if (page >= MOST_PAGES) throw new Error('the pages never end');
    const [step] = await compare(pair, tool, args, next);
    next = step?.more === true ? carry(next, step.handles) : undefined;
    if (next !== undefined) await pair.disturb();
  }
}

/** A page of changes goes on with the same changes_since and a cursor. */
function carry(before: Handles, after: Handles): Handles {
  return [
    { ...before[0], ...after[0] },
    { ...before[1], ...after[1] },
  ];
}

async function compare(
  pair: Pair,
  tool: string,
  args: Record<string, unknown>,
  handles: Handles = [{}, {}],
): Promise<{ more: boolean; handles: Handles }[]> {
  const a = await pair.here.world.call(pair.here.token, tool, { ...args, ...handles[0] });
  const b = await pair.there.world.call(pair.there.token, tool, { ...args, ...handles[1] });
  expect(normalise(b), `${tool} ${JSON.stringify(args)}`).toEqual(normalise(a));
  return [{ more: a.structuredContent.has_more === true, handles: [handleOf(a), handleOf(b)] }];
}

function handleOf({ structuredContent: body }: ToolResult): Handle {
  if (body.next_cursor !== undefined) return { cursor: body.next_cursor };
  return body.next_changes_since === undefined ? {} : { changes_since: body.next_changes_since };
}

/** Both channels as text, with request ids taken out and of handles only their length left. */
export function normalise({ content, structuredContent, isError }: ToolResult): string[] {
  return [String(isError), content[0]?.text ?? '', JSON.stringify(structuredContent)].map(normaliseText);
}

function normaliseText(text: string): string {
  return text
    .replace(/"request_id":"[^"]*"/g, '"request_id":"-"')
    .replace(
      /"(next_cursor|next_changes_since)":"([^"]*)"/g,
      (_, name, handle) => `"${name}":${handle.length}`,
    );
}

/** The list of tools, and the same reads over REST. */
async function compareRest(pair: Pair, terms: readonly GrantedStreamTerms[]): Promise<void> {
  const [one] = terms as [GrantedStreamTerms];
  const paths = [
    '/v1/schema',
    `/v1/streams/${one.stream}`,
    `/v1/streams/${one.stream}/records?connection_id=${one.connection_id}&count=exact&limit=3`,
    `/v1/streams/${one.stream}/aggregate?connection_id=${one.connection_id}&interval=month`,
    '/v1/streams/diary/records',
    '/v1/search?query=harbour',
  ];
  for (const path of paths) {
    const [a, b] = await Promise.all([pair.here, pair.there].map((side) => readPath(side, path)));
    expect(b, path).toEqual(a);
  }
  const [a, b] = await Promise.all(
    [pair.here, pair.there].map((side) => side.world.rpc(side.token, 'tools/list')),
  );
  expect(JSON.stringify(b), 'tools/list').toBe(JSON.stringify(a));
}

async function readPath({ world, token }: Pair['here'], path: string) {
  const response = await world.request(path, { headers: { authorization: `Bearer ${token}` } });
  return [response.status, normaliseText(await response.text())];
}

/** As any request, but now and then it names what only the second world has, or words that are misspelt. */
function drawTwoWorldRequest(draw: Draw, terms: readonly GrantedStreamTerms[]): DrawnRequest {
  const { tool, args } = drawRequest(draw, terms);
  if (tool === 'search') {
    const query = draw.chance(60) ? draw.some(NEAR_WORDS, 8).slice(0, 3).join(' ') || 'harbor' : args.query;
    return { tool, args: { ...args, query } };
  }
  if (!draw.chance(20)) return { tool, args };
  const hidden = {
    stream: draw.pick(HIDDEN_NAMES.streams),
    connection_id: draw.pick(HIDDEN_NAMES.connections),
    sort: draw.pick(HIDDEN_NAMES.fields),
    fields: [draw.pick(HIDDEN_NAMES.fields)],
    filter: { [draw.pick(HIDDEN_NAMES.fields)]: 'x' },
    group_by: [draw.pick(HIDDEN_NAMES.fields)],
  };
  const name = draw.pick(Object.keys(hidden) as (keyof typeof hidden)[]);
  return { tool, args: { ...args, [name]: hidden[name] } };
}
