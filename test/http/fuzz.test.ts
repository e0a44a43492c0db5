import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tools } from '../../src/tools/index.ts';
import { createDiaryWorld } from '../support/diary-world.ts';
import { postModern } from '../support/mcp-post.ts';

const odd = fc.oneof(
  fc.constantFrom(
    '',
    '*',
    '..',
    '%',
    '%00',
    '%2e%2e%2f',
    '%c0%af',
    '%E0%A4%A',
    '__proto__',
    'constructor',
    'toString',
    "' or 1=1--",
    'mine',
    'entries',
    'one',
    'title',
    'created_at',
  ),
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
);
const value = fc.oneof(
  odd,
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.jsonValue({ maxDepth: 2 }),
);

/** The value with what a known field or relation could be called mixed in. */
const filter = fc.dictionary(
  fc.oneof(odd, fc.constantFrom('id', 'title', 'stars', 'created_at', 'tags', 'extra')),
  value,
  { maxKeys: 3 },
);

const argumentNames = [
  ...new Set(tools.flatMap((tool) => Object.keys((tool.inputSchema.properties ?? {}) as object))),
];
const toolArguments = fc
  .dictionary(
    fc.constantFrom(...argumentNames, '__proto__', 'surprise'),
    fc.oneof(value, filter, fc.array(odd, { maxLength: 3 })),
    { maxKeys: 4 },
  )
  .chain((more) =>
    fc
      .constantFrom({}, { stream: 'entries' }, { id: 'mine/entries/one' }, { query: 'marker' })
      .map((some) => ({ ...more, ...some })),
  );

const path = fc
  .tuple(
    fc.constantFrom(
      '/mcp',
      '/v1/schema',
      '/v1/streams',
      '/v1/search',
      '/v1/ingest',
      '/r',
      '/.well-known',
      '',
    ),
    fc.array(
      odd.map((part) => part.replace(/[#?]/g, '')),
      { maxLength: 4 },
    ),
    fc.dictionary(fc.constantFrom('filter', 'limit', 'query', 'fields', 'cursor', 'x'), odd, { maxKeys: 3 }),
  )
  .map(
    ([start, parts, query]) =>
      `${start}${parts.map((part) => `/${encodeURI(part.toWellFormed()).replaceAll('%25', '%')}`).join('')}?${new URLSearchParams(query)}`,
  );

describe('whatever is sent', () => {
  it('as a request is answered below 500, and the server goes on', async () => {
    const world = await createDiaryWorld();
    const tokens = [world.mine, world.both, await world.ownerToken(), 'nope'];
    const methods = fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH');
    const types = fc.constantFrom('application/json', 'application/x-ndjson', 'text/plain');
    await fc.assert(
      fc.asyncProperty(
        methods,
        path,
        fc.constantFrom(...tokens),
        types,
        fc.string(),
        async (method, to, token, type, body) => {
          const headers = { authorization: `Bearer ${token}`, 'content-type': type };
          const response = await world.request(to, {
            method,
            headers,
            ...(/GET|HEAD/.test(method) ? {} : { body }),
          });
          await response.text();
          expect(response.status).toBeLessThan(500);
        },
      ),
      { numRuns: 500 },
    );
    expect(world.logged).toEqual([]);
    expect((await world.request('/healthz')).status).toBe(200);
    world.close();
  });

  it('as arguments of a tool is answered or refused by a code that is not internal, and changes nothing', async () => {
    const world = await createDiaryWorld();
    const dump = () =>
      JSON.stringify(world.store.write.raw.prepare('select key, seq, data from records order by rid').all());
    const before = dump();
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...tools.map((tool) => tool.name)),
        toolArguments,
        async (name, args) => {
          const { status, messages } = await postModern(world, world.mine, 'tools/call', {
            name,
            arguments: args,
          });
          expect(status).toBe(200);
          const { structuredContent } = messages[0].result;
          expect(structuredContent.error?.code).not.toBe('internal');
          expect(JSON.stringify(structuredContent)).not.toContain('marker-theirs');
        },
      ),
      { numRuns: 600 },
    );
    expect(world.logged).toEqual([]);
    expect(dump()).toBe(before);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    world.close();
  });
});
