import { expect } from 'vitest';
import type { GrantedStreamTerms } from '../../../../src/grants/grant.ts';
import { checkDrawn, type Draw, type Runs } from '../../../support/draw.ts';
import { openStory, plainSetting, type StoryWorld } from '../../../support/story-world.ts';
import type { ToolResult } from '../../../support/world.ts';
import { drawGrant, grantEverything } from '../draw/draw-grant.ts';
import { drawStory, replay, type Story } from '../draw/draw-records.ts';
import { type DrawnRequest, drawRequest } from '../draw/draw-request.ts';
import { expectAnswer, type Situation } from './oracle.ts';
import { Refusal } from './oracle-filter.ts';
import { compareAnswer, readAll } from './read-answer.ts';

const DRAWN_GRANTS = 2;
const REQUESTS = 7;

/** For random stores, grants and requests, every answer is what the oracle says. Gives the number of requests. */
export async function checkOracle(runs: Runs): Promise<number> {
  let requests = 0;
  await checkDrawn(runs, async (draw) => {
    const story = drawStory(draw);
    const world = await openStory(plainSetting(story.timeZone));
    try {
      requests += await checkStory(draw, story, world);
    } finally {
      world.close();
    }
  });
  return requests;
}

async function checkStory(draw: Draw, story: Story, world: StoryWorld): Promise<number> {
  const drawn = Array.from({ length: DRAWN_GRANTS }, () => drawGrant(draw, story));
  const grants = [...drawn, grantEverything()];
  const before = replay(story.first);
  const now = replay(story.later, before);
  await world.apply(story.first);
  const readers = [];
  for (const terms of grants) {
    const token = await world.issue(terms);
    readers.push({ token, terms, changes: await beginChanges(world, token, terms) });
  }
  await world.apply(story.later);
  let requests = 0;
  for (const { token, terms, changes } of readers) {
    const situation = { zone: story.timeZone, before, now, later: story.later, terms };
    const drawn = Array.from({ length: REQUESTS }, () => drawRequest(draw, terms));
    for (const request of [...changes, ...drawn]) {
      await checkRequest(world, token, situation, request);
      requests += 1;
    }
  }
  return requests;
}

/** A handle per granted stream from before the later chapter, to be asked what has changed since. */
async function beginChanges(
  world: StoryWorld,
  token: string,
  terms: readonly GrantedStreamTerms[],
): Promise<DrawnRequest[]> {
  const requests = [];
  for (const { connection_id, stream } of terms) {
    const args = { stream, connection_id, changes_since: 'now' };
    const { structuredContent } = await world.call(token, 'query_records', args);
    requests.push({
      tool: 'query_records',
      args: { ...args, changes_since: structuredContent.next_changes_since, limit: 2 },
    });
  }
  return requests;
}

async function checkRequest(
  world: StoryWorld,
  token: string,
  situation: Situation,
  { tool, args }: DrawnRequest,
): Promise<void> {
  const pages = await readAll((more) => world.call(token, tool, { ...args, ...more }));
  const first = pages[0] as ToolResult;
  const context = JSON.stringify({ tool, args, zone: situation.zone, terms: situation.terms });
  for (const page of pages)
    expect(page.content[0]?.text, context).toBe(JSON.stringify(page.structuredContent));
  let expected: unknown;
  try {
    expected = expectAnswer(situation, tool, args);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    expect([...error.codes], context).toContain(first.structuredContent.error?.code);
    return;
  }
  if (first.isError === true) {
    const log = world.logged.at(-1) ?? '';
    throw new Error(`refused: ${JSON.stringify(first.structuredContent)} ${log} for ${context}`);
  }
  compareAnswer(tool, args, pages, expected, context);
}
