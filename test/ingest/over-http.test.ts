import { describe, expect, it } from 'vitest';
import { diarySource, entry } from '../support/diary-source.ts';
import { queryTables } from '../support/stores/tables.ts';
import { useWorld } from '../support/use-world.ts';
import { createWorld } from '../support/world.ts';

const world = await useWorld(createWorld());
await world.addSource(diarySource, { mine: 'My diary' });
const owner = await world.ownerToken();
const { token: client } = await world.grant([{ connection_id: 'mine' }]);

const NDJSON = 'application/x-ndjson';
const lines = (...ids: string[]) => ids.map((id) => JSON.stringify(entry(id))).join('\n');

async function post(
  body: NonNullable<RequestInit['body']>,
  {
    token = owner,
    type = NDJSON,
    path = '/v1/ingest/mine/entries',
  }: { token?: string; type?: string; path?: string } = {},
) {
  const response = await world.request(path, {
    method: 'POST',
    headers: {
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      ...(type === '' ? {} : { 'content-type': type }),
    },
    body,
    duplex: 'half',
  } as RequestInit);
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
}

const stored = async (id: string) =>
  (await queryTables(world.store, 'select key from records where key = ?', id)).length;

describe('POST /v1/ingest/{connection}/{stream}', () => {
  it('accepts records from the owner and returns the report', async () => {
    const { status, headers, body } = await post(`${lines('h1', 'h2')}\nbroken\n`);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({
      lines: 3,
      new: 2,
      changed: 0,
      same: 0,
      deleted: 0,
      refused: 1,
      refusals: [{ line: 3, reason: 'is not valid JSON' }],
    });
    expect((await post(lines('h1', 'h2'))).body).toMatchObject({ new: 0, same: 2 });
  });

  it('accepts chunks that split lines and characters', async () => {
    const bytes = Buffer.from(
      `${JSON.stringify(entry('chunked', { title: 'é😀日本' }))}\n${lines('chunked2')}`,
    );
    const stream = new ReadableStream({
      start(controller) {
        for (let i = 0; i < bytes.length; i += 3)
          controller.enqueue(new Uint8Array(bytes.subarray(i, i + 3)));
        controller.close();
      },
    });
    expect(await post(stream)).toMatchObject({ status: 200, body: { lines: 2, new: 2, refused: 0 } });
    const { structuredContent } = await world.call(client, 'fetch', {
      id: 'mine/entries/chunked',
      field: 'title',
    });
    expect(structuredContent.text).toBe('é😀日本');
  });

  it('accepts an empty body', async () => {
    expect(await post('')).toMatchObject({ status: 200, body: { lines: 0, refused: 0 } });
  });

  it.each([NDJSON, 'application/ndjson', 'application/jsonl', 'Application/X-NDJSON; charset=utf-8'])(
    'takes the content type %s',
    async (type) => {
      expect((await post(lines('typed'), { type })).status).toBe(200);
    },
  );

  it.each(['', 'application/json', 'text/plain', 'application/x-ndjsonx', 'multipart/form-data; boundary=x'])(
    'refuses the content type "%s"',
    async (type) => {
      // A Blob has no type of its own, so that none is sent when none is named.
      const { status, body } = await post(new Blob([lines('untyped')]), { type });
      expect([status, body.error.code]).toEqual([415, 'unsupported_media_type']);
      expect(await stored('untyped')).toBe(0);
    },
  );

  it('refuses everyone but the owner before any other check', async () => {
    for (const path of ['/v1/ingest/mine/entries', '/v1/ingest/none/none']) {
      const none = await post(lines('x1'), { token: '', path, type: 'text/plain' });
      expect([none.status, none.body.error.code]).toEqual([401, 'unauthorized']);
      const wrong = await post(lines('x1'), { token: 'pdpp_wrong', path, type: 'text/plain' });
      expect([wrong.status, wrong.body.error.code]).toEqual([401, 'unauthorized']);
      const app = await post(lines('x1'), { token: client, path, type: 'text/plain' });
      expect([app.status, app.body.error.code]).toEqual([403, 'owner_token_required']);
    }
    expect(await stored('x1')).toBe(0);
  });

  it.each([
    '/v1/ingest/mine/none',
    '/v1/ingest/none/entries',
    '/v1/ingest/__proto__/constructor',
    '/v1/ingest/mine/entries%00',
  ])('answers 404 for %s', async (path) => {
    const { status, body } = await post(lines('x2'), { path });
    expect([status, body.error.code]).toEqual([404, 'unknown_stream']);
  });

  it('allows no other method', async () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
      const response = await world.request('/v1/ingest/mine/entries', {
        method,
        headers: { authorization: `Bearer ${owner}` },
      });
      expect([404, 405]).toContain(response.status);
    }
  });

  it('makes records readable for clients at once', async () => {
    await post(lines('fresh'));
    const { structuredContent } = await world.call(client, 'fetch', { id: 'mine/entries/fresh' });
    expect(structuredContent.id).toBe('mine/entries/fresh');
  });

  it('stores no more when the token is revoked during an upload', async () => {
    const token = await world.ownerToken();
    const encode = (...ids: string[]) => new TextEncoder().encode(`${lines(...ids)}\n`);
    const batch = (name: string) => encode(...Array.from({ length: 500 }, (_, at) => `${name}-${at}`));
    const body = new ReadableStream({
      async start(controller) {
        controller.enqueue(batch('before'));
        await expect.poll(() => stored('before-0')).toBe(1);
        await world.store.write.grants.deleteOwnerTokens();
        controller.enqueue(batch('after'));
        controller.close();
      },
    });
    const answer = await post(body, { token });
    expect([answer.status, answer.body.error.code]).toEqual([401, 'unauthorized']);
    expect(answer.body.error.stored).toEqual({ new: 500, changed: 0, same: 0, deleted: 0 });
    expect([await stored('before-499'), await stored('after-0')]).toEqual([1, 0]);
  });
});
