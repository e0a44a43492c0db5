import { createHash, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { revokeGrant } from '../../../src/grants/grant-store.ts';
import type { World } from '../world.ts';

interface Session {
  clientId: string;
  challenge?: string;
  refresh?: string;
  grants: string[];
  ended?: boolean;
}

/** What a test may change about the server, also while it runs. */
export interface Manners {
  expiresIn?: number;
  /** Members that replace those of the metadata. */
  metadata?: Record<string, unknown>;
  resource?: Record<string, unknown>;
  /** What the browser is sent back with, made from what would be right. */
  answer?: (right: Record<string, string>) => Record<string, string>;
  /** The answers of the token endpoint to a device, one after the other; after them the token. */
  device?: string[];
  verificationUri?: string;
  deviceExpiresIn?: number;
  refuseRefresh?: boolean;
  /** Access tokens up to now are no longer taken. */
  forgetTokens?: boolean;
  slowRefreshMs?: number;
  /** Requests, written as in `requests`, whose answers end in the middle, as when a connection breaks. */
  cutOff?: RegExp;
}

export interface TinyServer {
  readonly origin: string;
  readonly manners: Manners;
  /** Every request, as "POST /token refresh_token". */
  readonly requests: string[];
  /** Secrets that were given out. */
  readonly secrets: string[];
  close(): void;
}

const refuse = (c: Context, error: string) => c.json({ error }, 400);

function cutOff(whole: Response): Response {
  const body = new ReadableStream({
    async start(controller) {
      controller.enqueue(new TextEncoder().encode('{"'));
      // What was sent has arrived by then, the head of the answer included.
      await new Promise((resolve) => setTimeout(resolve, 50));
      controller.error(new Error('cut off'));
    },
  });
  const headers = new Headers(whole.headers);
  headers.delete('content-length');
  return new Response(body, { status: whole.status, headers });
}

/**
 * The tools of a world behind an authorization server that approves at once and can be told to misbehave.
 * A refresh token works exactly once, with no grace: two processes that do not take turns are found out.
 */
export async function startTinyServer(world: World, connections: string[]): Promise<TinyServer> {
  const manners: Manners = {};
  const requests: string[] = [];
  const secrets: string[] = [];
  const forgotten = new Set<string>();
  const codes = new Map<string, Session>();
  const devices = new Map<string, Session>();
  const refreshes = new Map<string, Session>();
  const app = new Hono();

  const keepSecret = (prefix: string) => {
    const secret = `${prefix}-${randomUUID()}`;
    secrets.push(secret);
    return secret;
  };
  const issue = async (c: Context, session: Session) => {
    const { token, grantId } = await world.grant(connections.map((connection_id) => ({ connection_id })));
    session.grants.push(grantId);
    session.refresh = keepSecret('refresh');
    refreshes.set(session.refresh, session);
    secrets.push(token);
    return c.json({
      access_token: token,
      token_type: 'Bearer',
      refresh_token: session.refresh,
      expires_in: manners.expiresIn ?? 3_600,
      scope: 'pdpp:read',
    });
  };

  app.use('*', async (c, next) => {
    const form = c.req.header('content-type')?.includes('urlencoded') ? await c.req.parseBody() : {};
    const request = [c.req.method, c.req.path, form.grant_type ?? []].flat().join(' ');
    requests.push(request);
    await next();
    if (manners.cutOff?.test(request)) c.res = cutOff(c.res);
  });
  app.get('/.well-known/oauth-protected-resource/mcp', (c) =>
    c.json({ resource: `${origin}/mcp`, authorization_servers: [origin], ...manners.resource }),
  );
  app.get('/.well-known/oauth-authorization-server', (c) =>
    c.json({
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      registration_endpoint: `${origin}/register`,
      revocation_endpoint: `${origin}/revoke`,
      device_authorization_endpoint: `${origin}/device/code`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      authorization_response_iss_parameter_supported: true,
      ...manners.metadata,
    }),
  );
  app.post('/register', async (c) => {
    const body = await c.req.json();
    requests.push(`registered ${body.client_name} ${body.application_type}`);
    return c.json({ ...body, client_id: `client-${randomUUID()}` }, 201);
  });
  app.get('/authorize', (c) => {
    const { redirect_uri = '', state = '', client_id = '', code_challenge = '' } = c.req.query();
    const code = keepSecret('code');
    codes.set(code, { clientId: client_id, challenge: code_challenge, grants: [] });
    const right = { code, state, iss: origin };
    return c.redirect(`${redirect_uri}?${new URLSearchParams(manners.answer?.(right) ?? right)}`);
  });
  app.post('/device/code', async (c) => {
    const { client_id } = await c.req.parseBody();
    const device_code = keepSecret('device');
    devices.set(device_code, { clientId: String(client_id), grants: [] });
    return c.json({
      device_code,
      user_code: 'WDJB-MJHT',
      verification_uri: manners.verificationUri ?? `${origin}/device`,
      expires_in: manners.deviceExpiresIn ?? 60,
      interval: 0.05,
    });
  });
  app.post('/token', async (c) => {
    const form = (await c.req.parseBody()) as Record<string, string>;
    if (form.grant_type === 'authorization_code') {
      const session = codes.get(form.code ?? '');
      codes.delete(form.code ?? '');
      const challenge = createHash('sha256')
        .update(form.code_verifier ?? '')
        .digest('base64url');
      const isRight = session?.challenge === challenge && session.clientId === form.client_id;
      return isRight ? issue(c, session) : refuse(c, 'invalid_grant');
    }
    if (form.grant_type === 'refresh_token') {
      await new Promise((resolve) => setTimeout(resolve, manners.slowRefreshMs ?? 0));
      const session = refreshes.get(form.refresh_token ?? '');
      refreshes.delete(form.refresh_token ?? '');
      const isRight = session?.clientId === form.client_id && session?.ended !== true;
      return isRight && session !== undefined && !manners.refuseRefresh
        ? issue(c, session)
        : refuse(c, 'invalid_grant');
    }
    const session = devices.get(form.device_code ?? '');
    const problem = session === undefined ? 'invalid_grant' : manners.device?.shift();
    return problem === undefined ? issue(c, session as Session) : refuse(c, problem);
  });
  app.post('/revoke', async (c) => {
    const { token } = await c.req.parseBody();
    const session = refreshes.get(String(token));
    if (session !== undefined) {
      session.ended = true;
      for (const grantId of session.grants) await revokeGrant(world.store.write, grantId, new Date());
    }
    return c.body(null, 200);
  });
  app.all('/mcp', async (c) => {
    if (manners.forgetTokens) {
      for (const secret of secrets) forgotten.add(`Bearer ${secret}`);
      delete manners.forgetTokens;
    }
    const { host: _, ...headers } = c.req.header();
    if (forgotten.has(headers.authorization ?? '')) headers.authorization = '';
    const body = c.req.method === 'POST' ? await c.req.text() : null;
    const response = await world.request('/mcp', { method: c.req.method, headers, body });
    if (response.status !== 401) return response;
    const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
    return c.json({}, 401, { 'www-authenticate': `Bearer resource_metadata="${metadata}"` });
  });

  const server = await new Promise<ReturnType<typeof serve>>((resolve) => {
    const started = serve(
      { fetch: app.fetch, port: 0, hostname: '127.0.0.1', overrideGlobalObjects: false },
      () => resolve(started),
    );
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, manners, requests, secrets, close: () => server.close() };
}
