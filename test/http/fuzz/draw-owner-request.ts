import type { Draw } from '../../support/draw.ts';
import { damage, drawJson, drawString } from './draw-hostile.ts';
import { drawId } from './draw-tool-call.ts';
import { type Doors, drawQuery, encodePath } from './http-request.ts';

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

export function drawOAuth(draw: Draw, doors: Doors) {
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

export function drawPage(draw: Draw, doors: Doors) {
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

export function drawForm(draw: Draw, doors: Doors) {
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
