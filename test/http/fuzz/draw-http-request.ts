import type { Draw } from '../../support/draw.ts';
import { damage, drawString } from './draw-hostile.ts';
import { drawBatch, drawLegacy, drawModern } from './draw-mcp-request.ts';
import { drawForm, drawOAuth, drawPage } from './draw-owner-request.ts';
import { drawIngest, drawRest } from './draw-rest-request.ts';
import { type Doors, drawQuery, encodePath, type HttpRequest, TYPES } from './http-request.ts';

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH'];

const drawers: Readonly<Record<string, (draw: Draw, doors: Doors) => Omit<HttpRequest, 'route'>>> = {
  'mcp 2026': drawModern,
  'mcp 2025': drawLegacy,
  'mcp batch': drawBatch,
  rest: drawRest,
  ingest: drawIngest,
  oauth: drawOAuth,
  pages: drawPage,
  forms: drawForm,
  'well-known': (draw) => ({
    method: draw.pick(METHODS),
    path: `${draw.pick(['/.well-known', '/mcp/.well-known', ''])}/${draw.pick(['oauth-protected-resource', 'oauth-protected-resource/mcp', 'oauth-authorization-server', 'openid-configuration', 'agent-skills/index.json', 'agent-skills/pdpp/SKILL.md', 'llms.txt', 'healthz', 'readyz', 'metrics', encodePath(drawString(draw))])}`,
    headers: {},
  }),
  anywhere: (draw) => ({
    method: draw.pick(METHODS),
    path: `/${Array.from({ length: draw.upTo(4) }, () => encodePath(drawString(draw))).join('/')}${drawQuery(draw)}`,
    headers: { 'content-type': draw.pick(TYPES) },
    body: drawString(draw),
  }),
};

const ROUTES = [
  'mcp 2026',
  'mcp 2026',
  'mcp 2026',
  'mcp 2025',
  'mcp batch',
  'rest',
  'rest',
  'ingest',
  'oauth',
  'oauth',
  'pages',
  'forms',
  'well-known',
  'anywhere',
];

/** A request to any route: mostly one that gets in and is wrong further on, sometimes wrong already at the door. */
export function drawHttpRequest(draw: Draw, doors: Doors): HttpRequest {
  const route = draw.pick(ROUTES);
  const drawn = (drawers[route] as (typeof drawers)[string])(draw, doors);
  const method = draw.chance(95) ? drawn.method : draw.pick(METHODS);
  const headers = { ...drawn.headers, ...(draw.chance(12) ? drawHeader(draw) : {}) };
  const body = drawn.body !== undefined && draw.chance(8) ? damage(draw, drawn.body) : drawn.body;
  const bare = method === 'GET' || method === 'HEAD' || body === undefined;
  return {
    route,
    method,
    path: drawn.path,
    headers: clean(headers),
    ...(bare ? {} : { body: body.toWellFormed() }),
  };
}

function drawHeader(draw: Draw): Record<string, string> {
  const name = draw.pick([
    'accept',
    'accept-encoding',
    'content-type',
    'content-length',
    'content-encoding',
    'transfer-encoding',
    'origin',
    'host',
    'range',
    'if-none-match',
    'cookie',
    'x-forwarded-for',
    'forwarded',
    'x-http-method-override',
    'mcp-session-id',
    'last-event-id',
    'expect',
    'te',
    'accept-language',
    'referer',
    'user-agent',
    'dpop',
    'mcp-protocol-version',
  ]);
  return {
    [name]: draw.chance(50)
      ? drawString(draw)
      : draw.pick([
          'gzip',
          '0',
          '-1',
          '99999999999',
          'chunked',
          'null',
          'http://127.0.0.1:7733',
          'application/json; charset=utf-7',
          '*/*;q=0',
          'bytes=0-',
          '100-continue',
        ]),
  };
}

/** As much of a header as can be sent at all. */
function clean(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      value
        .replace(/[^\t\x20-\x7e\x80-\xff]/g, '')
        .trim()
        .slice(0, 4_000),
    ]),
  );
}
