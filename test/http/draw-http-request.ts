import type { Draw } from '../support/draw.ts';
import { damage, drawJson, drawString } from '../support/draw-hostile.ts';
import { drawId, drawToolCall, type Known } from './draw-tool-call.ts';

/** A request, and which of the routes it was drawn for. */
export interface HttpRequest {
  readonly route: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What a drawn request may use to get further than the door. */
export interface Doors extends Known {
  readonly tokens: readonly string[];
  readonly owner: string;
  readonly cookie: string;
  readonly csrf: string;
  readonly clientId: string;
  /** Paths with an id in them that exist. */
  readonly paths: readonly string[];
}

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH'];
const TYPES = [
  'application/json',
  'application/x-ndjson',
  'application/x-www-form-urlencoded',
  'text/plain',
  'multipart/form-data',
  '*/*',
  '',
];
const VERSIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2024-11-05', '1.0', 'latest', ''];
const RPC = [
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'resources/list',
  'prompts/get',
  'logging/setLevel',
];
const NOTES = [
  'notifications/initialized',
  'notifications/cancelled',
  'subscriptions/listen',
  'completion/complete',
];
const JSON_TYPE = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

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

function drawModern(draw: Draw, doors: Doors) {
  const call = drawToolCall(draw, doors);
  const method = draw.chance(85) ? 'tools/call' : draw.pick([...RPC, ...NOTES, drawString(draw)]);
  const version = draw.chance(92) ? '2026-07-28' : draw.pick(VERSIONS);
  const params = draw.chance(95)
    ? { ...call, _meta: draw.chance(96) ? metaOf(version) : drawJson(draw) }
    : drawJson(draw);
  return {
    method: 'POST',
    path: draw.chance(97) ? '/mcp' : draw.pick(['/mcp/', '/mcp?x=1', '/mcp//', '/MCP']),
    headers: {
      ...JSON_TYPE,
      ...bearer(draw, doors),
      'mcp-protocol-version': version,
      'mcp-method': draw.chance(97) ? method : drawString(draw),
      'mcp-name': draw.chance(97) ? call.name : drawString(draw),
    },
    body: JSON.stringify({
      jsonrpc: draw.chance(98) ? '2.0' : drawJson(draw),
      id: drawRpcId(draw),
      method,
      params,
    }),
  };
}

function metaOf(version: string) {
  return {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'fuzz', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
}

function drawLegacy(draw: Draw, doors: Doors) {
  return { ...legacyPost(draw, doors), body: JSON.stringify(drawMessage(draw, doors)) };
}

function drawBatch(draw: Draw, doors: Doors) {
  const messages = Array.from({ length: draw.pick([0, 1, 2, 3, 21]) }, () => drawMessage(draw, doors));
  return { ...legacyPost(draw, doors), body: JSON.stringify(messages) };
}

function legacyPost(draw: Draw, doors: Doors) {
  const version = draw.chance(90)
    ? { 'mcp-protocol-version': draw.pick(['2025-11-25', '2025-06-18', ...VERSIONS]) }
    : {};
  return { method: 'POST', path: '/mcp', headers: { ...JSON_TYPE, ...bearer(draw, doors), ...version } };
}

function drawMessage(draw: Draw, doors: Doors): unknown {
  if (draw.chance(4)) return drawJson(draw);
  const method = draw.chance(70) ? 'tools/call' : draw.pick([...RPC, ...NOTES, drawString(draw)]);
  const id = draw.chance(85) ? { id: drawRpcId(draw) } : {};
  return {
    jsonrpc: '2.0',
    ...id,
    method,
    params: draw.chance(95) ? drawToolCall(draw, doors) : drawJson(draw),
  };
}

function drawRpcId(draw: Draw): unknown {
  return draw.chance(90) ? draw.upTo(99) : drawJson(draw, 1);
}

function drawRest(draw: Draw, doors: Doors) {
  const { arguments: args } = drawToolCall(draw, doors);
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries((args ?? {}) as object))
    query.append(
      name,
      (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, 4_000).toWellFormed(),
    );
  const stream = draw.chance(75) ? 'entries' : encodePath(drawString(draw));
  const key = draw.chance(50) ? 'one' : encodePath(drawString(draw));
  const path = draw.pick([
    'schema',
    'streams',
    `streams/${stream}`,
    `streams/${stream}/records`,
    `streams/${stream}/records/${key}`,
    `streams/${stream}/aggregate`,
    'search',
    encodePath(drawString(draw)),
  ]);
  return {
    method: 'GET',
    path: `/v1/${path}?${query}${draw.chance(10) ? '&%zz=%' : ''}`,
    headers: bearer(draw, doors),
  };
}

function drawIngest(draw: Draw, doors: Doors) {
  const line = () => {
    const id = drawString(draw);
    const good = { key: id, emitted_at: '2026-11-01T00:00:00Z', data: { id, extra: drawJson(draw) } };
    const odd = {
      ...good,
      ...(draw.chance(50) ? { [draw.pick(['key', 'op', 'emitted_at', 'data', 'x'])]: drawJson(draw) } : {}),
    };
    return draw.chance(85) ? JSON.stringify(odd) : drawString(draw);
  };
  const place = draw.chance(85)
    ? 'scratch/entries'
    : `${encodePath(drawString(draw))}/${encodePath(drawString(draw))}`;
  return {
    method: 'POST',
    path: `/v1/ingest/${place}`,
    headers: {
      authorization: `Bearer ${draw.chance(90) ? doors.owner : draw.pick(doors.tokens)}`,
      'content-type': draw.chance(90) ? 'application/x-ndjson' : draw.pick(TYPES),
    },
    body: Array.from({ length: draw.upTo(4) }, line).join(draw.pick(['\n', '\r\n', '\n\n', ' '])),
  };
}

const OAUTH = [
  'authorize',
  'token',
  'register',
  'revoke',
  'introspect',
  'par',
  'device/code',
  'device',
  'consent/x',
  'jwks',
  'userinfo',
];
const PARAMETERS = [
  'client_id',
  'redirect_uri',
  'response_type',
  'code_challenge',
  'code_challenge_method',
  'scope',
  'state',
  'resource',
  'prompt',
  'request',
  'request_uri',
  'authorization_details',
  'grant_type',
  'code',
  'refresh_token',
  'device_code',
  'user_code',
  'token',
  'nonce',
  'max_age',
  'claims',
  'response_mode',
  'login_hint',
  'id_token_hint',
];

function drawOAuth(draw: Draw, doors: Doors) {
  const name = draw.pick(OAUTH);
  const good: Record<string, string> = {
    client_id: doors.clientId,
    redirect_uri: 'http://127.0.0.1:5555/callback',
    response_type: 'code',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
    grant_type: draw.pick([
      'authorization_code',
      'refresh_token',
      'urn:ietf:params:oauth:grant-type:device_code',
      'client_credentials',
    ]),
  };
  const form = new URLSearchParams(draw.chance(85) ? good : {});
  for (let at = draw.upTo(3); at > 0; at--) {
    const value = draw.chance(30)
      ? JSON.stringify([{ type: 'https://pdpp.dev/data-access', ...(drawJson(draw) as object) }])
      : drawString(draw);
    form[draw.chance(80) ? 'set' : 'append'](draw.pick(PARAMETERS), value.toWellFormed());
  }
  const body =
    name === 'register'
      ? JSON.stringify({
          client_name: 'fuzz',
          redirect_uris: ['http://127.0.0.1:1/cb'],
          [draw.pick(['redirect_uris', 'client_name', 'grant_types', 'scope', 'jwks', 'client_uri', 'x'])]:
            drawJson(draw),
        })
      : form.toString();
  const reads = name === 'authorize' || (name === 'device' && draw.chance(50)) || name === 'consent/x';
  return {
    method: reads ? 'GET' : 'POST',
    path: `/oauth/${name}${reads ? `?${form}` : ''}`,
    headers: {
      'content-type': name === 'register' ? 'application/json' : 'application/x-www-form-urlencoded',
      ...(draw.chance(50) ? { cookie: doors.cookie } : {}),
      ...(draw.chance(20)
        ? { authorization: draw.pick([`Bearer ${doors.owner}`, 'Basic eDp5', drawString(draw)]) }
        : {}),
    },
    body,
  };
}

function drawPage(draw: Draw, doors: Doors) {
  const known = draw.pick(doors.paths);
  const path = draw.chance(60)
    ? known
    : draw.chance(50)
      ? `/r/${encodePath(drawId(draw))}`
      : damage(draw, known);
  return {
    method: 'GET',
    path: `/${encodePath(path.slice(1))}${draw.pick(['', '', '.json', '.md', '.csv'])}${drawQuery(draw)}`,
    headers: {
      ...(draw.chance(85) ? { cookie: doors.cookie } : {}),
      accept: draw.pick(['text/html', 'application/json', '*/*', 'text/markdown', '']),
    },
  };
}

function drawForm(draw: Draw, doors: Doors) {
  const paths = [
    '/login',
    '/setup/x',
    '/dashboard/alarms/seen',
    '/oauth/device',
    '/oauth/device/confirm',
    '/oauth/consent/x',
    ...['revoke', 'expiry', 'end-connection'].map(
      (act) => `/dashboard/apps/${encodePath(drawString(draw))}/${act}`,
    ),
  ];
  const form = new URLSearchParams({ csrf: doors.csrf });
  for (let at = draw.upTo(4); at > 0; at--)
    form.set(
      draw.pick([
        'passphrase',
        'again',
        'return_to',
        'expires',
        'days',
        'connection_id',
        'user_code',
        'csrf',
        'stream',
        'field',
        'window',
        'xsrf',
        'confirm',
      ]),
      drawString(draw).toWellFormed(),
    );
  return {
    method: 'POST',
    path: draw.pick(paths),
    headers: {
      cookie: draw.chance(80) ? doors.cookie : drawString(draw),
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': draw.chance(90) ? 'same-origin' : 'cross-site',
    },
    body: form.toString(),
  };
}

function drawQuery(draw: Draw): string {
  if (draw.chance(60)) return '';
  const query = Array.from({ length: 1 + draw.upTo(2) }, () => {
    const name = draw.pick([
      'q',
      'page',
      'limit',
      'client',
      'since',
      'until',
      'as',
      'stream',
      'field',
      'offset',
      'cursor',
      'sort',
      'filter',
      'return_to',
    ]);
    return `${name}=${draw.chance(70) ? encodeURIComponent(drawString(draw).toWellFormed()) : encodePath(drawString(draw))}`;
  });
  return `?${query.join('&')}`;
}

function bearer(draw: Draw, { tokens, owner }: Doors): Record<string, string> {
  if (draw.chance(94)) return { authorization: `Bearer ${draw.pick(tokens)}` };
  return {
    authorization: draw.pick([
      `Bearer ${owner}`,
      'Bearer nope',
      'Bearer',
      'Basic eDp5',
      `Bearer ${drawString(draw)}`,
      '',
    ]),
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

/** As a careless client would write it: not everything that should be escaped is, and some escapes are none. */
function encodePath(text: string): string {
  return encodeURI(text.toWellFormed()).replaceAll('%25', '%').replace(/[?#]/g, '');
}
