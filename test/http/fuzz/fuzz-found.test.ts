import { describe, expect, it } from 'vitest';
import { LEGACY, post, postLegacy } from '../../support/mcp-post.ts';
import { createFuzzWorld } from './fuzz-world.ts';

describe('findings of fuzzing', () => {
  it('a device code posted by a signed-in browser that never opened the page is not an internal error', async () => {
    const world = await createFuzzWorld();
    const { cookie, csrf } = world.doors;
    const response = await world.request('/oauth/device', {
      method: 'POST',
      headers: {
        cookie,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ csrf, user_code: 'ABCD-EFGH' }).toString(),
    });
    world.close();
    expect(response.status).toBeLessThan(500);
  });

  it('an initialize without its parameters is an invalid request, not an internal error', async () => {
    const world = await createFuzzWorld();
    const { messages } = await postLegacy(world, world.doors.tokens[0] as string, 'initialize', {});
    world.close();
    expect(messages[0].error.code).toBe(-32602);
  });

  it.each(['subscriptions/listen', 'initialize'])(
    'a refused %s repeats no raw line separator',
    async (method) => {
      const world = await createFuzzWorld();
      const body = { jsonrpc: '2.0', id: 'a\u2028b', method, params: {} };
      const { text } = await post(world, world.doors.tokens[0] as string, body, {
        'mcp-protocol-version': LEGACY,
      });
      world.close();
      expect(text).not.toMatch(/[\u2028\u2029]/);
    },
  );
});
