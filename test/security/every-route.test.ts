import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { createDiaryWorld } from '../support/diary-world.ts';
import { listRoutes } from '../support/servers/servers.ts';
import { useWorld } from '../support/use-world.ts';
import { ORIGIN } from '../support/world.ts';

const world = await useWorld(createDiaryWorld({ clock: 'real' }));
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Said by the check alone, whatever the form of the refusal. */
const REFUSAL = 'This server does not accept that Host or Origin.';

interface Route {
  readonly method: string;
  readonly path: string;
}
type Send = (path: string, init: RequestInit) => Promise<Response> | Response;

/** Every path that the server has a route or a middleware for, written out, by every method. */
function listRequests(routes: readonly Route[]): Route[] {
  const paths = new Set(
    routes.map(({ path }) =>
      path
        .replaceAll(/:\w+\{[^}]*json\}/g, 'x.json')
        .replaceAll(/:\w+(\{[^}]*\})?\??/g, 'x')
        .replaceAll('*', 'x'),
    ),
  );
  return [...paths].flatMap((path) => METHODS.map((method) => ({ method, path })));
}

/** The requests that are answered, and not refused for where they come from. */
async function listAnswered(send: Send, requests: readonly Route[], headers: Record<string, string>) {
  const answered: string[] = [];
  for (const { method, path } of requests) {
    const response = await send(path, { method, headers });
    const text = await response.text();
    const isRefused = response.status === 403 && (method === 'HEAD' || text.includes(REFUSAL));
    if (!isRefused) answered.push(`${method} ${path}`);
  }
  return answered;
}

const requests = listRequests(await listRoutes(world));
const isPublic = (request: string) => !/^POST /.test(request) && /\/\.well-known\//.test(request);

describe('every route', () => {
  it('is requested here', () => {
    const paths = new Set(requests.map(({ path }) => path));
    for (const path of ['/mcp', '/v1/schema', '/dashboard/apps/x/access', '/oauth/token', '/setup/x', '/r/x'])
      expect(paths).toContain(path);
    expect(paths.size).toBeGreaterThan(60);
  });

  it('T-02 refuses a Host that is not ours, by every method', async () => {
    for (const host of ['evil.example', 'evil.example:7733', ''])
      expect(await listAnswered(world.request, requests, { host })).toEqual([]);
  });

  it('T-03 refuses an Origin that is not ours, but for public metadata', async () => {
    for (const origin of ['https://evil.example', 'http://127.0.0.1:9999', `${ORIGIN}.evil.example`]) {
      const answered = await listAnswered(world.request, requests, { origin });
      expect(answered.filter((request) => !isPublic(request))).toEqual([]);
    }
  });

  it('answers its own Host and Origin, so that the refusals above are meaningful', async () => {
    // A HEAD has no words: some are refused for other reasons.
    const spoken = requests.filter(({ method }) => method !== 'HEAD');
    expect(await listAnswered(world.request, spoken, { origin: ORIGIN })).toHaveLength(spoken.length);
  });

  it('would be found if it were added without the check', async () => {
    const careless = new Hono();
    careless.get('/early/:id', (c) => c.text('here'));
    const send: Send = (path, init) =>
      path.startsWith('/early') ? careless.request(path, init) : world.request(path, init);
    const all = [...requests, ...listRequests(careless.routes)];
    expect(await listAnswered(send, all, { host: 'evil.example' })).toContain('GET /early/x');
  });
});
