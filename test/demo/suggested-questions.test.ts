import { beforeAll, describe, expect, it } from 'vitest';
import { DEMO_END } from '../../bench/demo-end.ts';
import { loadCatalog } from '../../src/schema-index/catalog.ts';
import { readTryPrompts } from '../../src/views/try-prompts.ts';
import type { World } from '../support/world.ts';
import { createDemoWorld } from '../support/worlds/demo-world.ts';
import { aboutNumbers } from './suggested-about-numbers.ts';
import { aboutPeople } from './suggested-about-people.ts';
import { type Body, demo } from './suggested-question.ts';

const suggested = [...aboutPeople, ...aboutNumbers];

describe('the questions that the connect page suggests for the demo', () => {
  let world: World & { token: string };
  beforeAll(async () => {
    world = await createDemoWorld();
  });

  it('are one about each of the first six connections', async () => {
    const prompts = await readTryPrompts(world.store.read, await loadCatalog(world.store.read), DEMO_END);
    expect(prompts.map(({ prompt }) => prompt)).toEqual(suggested.map(({ ask }) => ask));
  });

  it.each(suggested)('$ask', async ({ calls, answer, expected, truth }) => {
    const seen: Body[] = [];
    for (const [tool, args] of calls) {
      const { structuredContent, isError } = await world.call(world.token, tool, args);
      expect([isError ?? false, structuredContent.error]).toEqual([false, undefined]);
      seen.push(structuredContent);
    }
    expect(answer(...seen)).toEqual(expected);
    expect(truth(demo)).toEqual(expected);
  });
});
