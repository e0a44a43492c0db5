import { describe, expect, it } from 'vitest';
import { createDiaryWorld } from '../support/diary-world.ts';
import { postLegacy, postModern } from '../support/mcp-post.ts';

const INSIDE =
  /SQLITE|no such (table|column)|facets|records_|better-sqlite|kysely|node_modules|at .+:\d+:\d+|\/src\/|\.ts\b/i;

const calls: Record<string, Record<string, unknown>> = {
  query_records: { stream: 'entries' },
  aggregate: { stream: 'entries', group_by: ['title'] },
  search: { query: 'marker' },
  fetch: { id: 'mine/entries/one' },
  schema: {},
};

describe('a tool with an internal error', () => {
  it.each(Object.entries(calls))(
    'T-08 %s answers a fixed sentence and an id that is in the log and the audit',
    async (name, args) => {
      const world = await createDiaryWorld();
      world.store.write.raw.exec('drop table facets; drop table records; drop table texts; drop table days');
      const params = { name, arguments: args };
      const answers = [
        await postModern(world, world.mine, 'tools/call', params),
        await postLegacy(world, world.mine, 'tools/call', params),
      ];
      for (const { status, text, messages } of answers) {
        expect(status).toBe(200);
        const { result } = messages[0];
        expect(result.isError).toBe(true);
        expect(result.structuredContent).toEqual({
          error: {
            code: 'internal',
            message: 'Something went wrong.',
            hint: expect.any(String),
            request_id: expect.stringMatching(/^req_\w{8,}$/),
          },
        });
        expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent);
        expect(text).not.toMatch(INSIDE);
        const id = result.structuredContent.error.request_id;
        expect(world.logged.filter((line) => line.includes(id))).toHaveLength(1);
        const outcomes = world.store.audit.raw
          .prepare('select outcome from audit where request_id = ?')
          .pluck()
          .all(id);
        expect(outcomes).toEqual(['internal']);
      }
      world.close();
    },
  );

  it('T-08 fails the same over REST, and the server keeps running', async () => {
    const world = await createDiaryWorld();
    world.store.write.raw.exec('alter table facets rename to hidden');
    const read = () =>
      world.request('/v1/streams/entries/records', { headers: { authorization: `Bearer ${world.mine}` } });
    const failed = await read();
    expect(failed.status).toBe(500);
    const text = await failed.text();
    expect(JSON.parse(text).error).toMatchObject({ code: 'internal', message: 'Something went wrong.' });
    expect(text).not.toMatch(INSIDE);
    world.store.write.raw.exec('alter table hidden rename to facets');
    expect((await read()).status).toBe(200);
    world.close();
  });

  it('T-08 fails the same when the grant cannot be read', async () => {
    const world = await createDiaryWorld();
    world.store.write.raw.exec('drop table tokens');
    for (const answer of [
      await postModern(world, world.mine, 'tools/list'),
      await postLegacy(world, world.mine, 'tools/list'),
    ]) {
      expect(answer.status).toBe(500);
      expect(JSON.parse(answer.text).error).toMatchObject({
        code: 'internal',
        request_id: expect.any(String),
      });
      expect(answer.text).not.toMatch(INSIDE);
    }
    world.close();
  });
});
