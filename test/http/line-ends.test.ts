import { describe, expect, it } from 'vitest';
import { escapeAnswer, escapeJson } from '../../src/text/json.ts';
import { entry } from '../support/diary-source.ts';
import { createDiaryWorld } from '../support/diary-world.ts';
import { LEGACY, post, postLegacy, postModern } from '../support/mcp-post.ts';
import { createOwnerBrowser } from '../support/oauth-client.ts';
import { useWorld } from '../support/use-world.ts';

const TEXT = 'line one\u2028line two\u2029line three\u0085line four';
const RAW = /[\u0085\u2028\u2029]/;
const fetchOne = { name: 'fetch', arguments: { id: 'mine/entries/ends' } };

const world = await useWorld(createDiaryWorld());
await world.ingest('mine', 'entries', [entry('ends', { title: 'Line ends', body: TEXT })]);

describe('characters that some readers treat as line ends', () => {
  it.each([
    ['SSE of the 2025 era', postLegacy],
    ['JSON of the 2026 era', postModern],
  ])('U+2028 and U+2029 leave as escapes in %s, and arrive as they were', async (_, send) => {
    const { text, messages } = await send(world, world.mine, 'tools/call', fetchOne);
    expect(text).not.toMatch(RAW);
    const { content, structuredContent } = messages[0].result;
    expect(structuredContent.text).toContain('line one\u2028line two\u2029line three');
    // The first channel is the second as JSON, to the letter: the escapes belong to what carries them.
    expect(content[0].text).toBe(JSON.stringify(structuredContent));
  });

  it('are escaped in REST answers, with the same value', async () => {
    const response = await world.request('/v1/streams/entries/records/ends?connection_id=mine', {
      headers: { authorization: `Bearer ${world.mine}` },
    });
    const text = await response.text();
    expect(text).not.toMatch(RAW);
    expect(JSON.parse(text).text).toContain('line one\u2028line two\u2029line three');
  });

  it('are escaped also in the message id of a caller', async () => {
    for (const version of [LEGACY, '2025-03-26']) {
      // A lone surrogate is no character at all; JSON writes it out by itself.
      const message = {
        jsonrpc: '2.0',
        id: 'a\u2028b\u2029c\u0085d\ud800e',
        method: 'tools/list',
        params: {},
      };
      const { text, messages } = await post(world, world.mine, message, { 'mcp-protocol-version': version });
      expect(text).not.toMatch(RAW);
      expect(messages[0].id).toBe(message.id);
    }
  });

  it('are escaped in the JSON of pages', async () => {
    const browser = await createOwnerBrowser(world);
    const headers = { accept: 'application/json' };
    const { text, status } = await browser.send('/r/mine/entries/ends', { headers });
    expect(status).toBe(200);
    expect(text).not.toMatch(RAW);
    expect(text).toContain('\\u2028');
  });

  it('are found where an answer is cut in the middle of one', async () => {
    const bytes = new TextEncoder().encode(JSON.stringify({ a: 'x\u2028y\u2029z\u0085é😀' }));
    for (let cut = 1; cut < bytes.length; cut += 1) {
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue(bytes.slice(0, cut));
          controller.enqueue(bytes.slice(cut));
          controller.close();
        },
      });
      const headers = { 'content-type': 'text/event-stream' };
      const text = await (await escapeAnswer(new Response(body, { headers }))).text();
      expect(text).toBe('{"a":"x\\u2028y\\u2029z\\u0085é😀"}');
    }
    expect(escapeJson('{"plain":"é😀"}')).toBe('{"plain":"é😀"}');
  });
});
