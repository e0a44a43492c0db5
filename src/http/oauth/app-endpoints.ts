import { type Context, Hono } from 'hono';
import type Provider from 'oidc-provider';
import { AppError } from '../../errors.ts';
import { createThrottle } from '../../limits/throttle.ts';
import { errors } from '../../oauth/library.ts';
import { prepareAuthorization, prepareToken } from '../../oauth/prepare-parameters.ts';
import { paths } from '../../oauth/provider.ts';
import { checkRegistration, RegistrationError } from '../../oauth/register.ts';
import { createCleanUp } from '../../oauth/storage/adapter.ts';
import { hashToken } from '../../secrets/token.ts';
import type { OAuthStore } from '../../store/oauth-store.ts';
import type { Store } from '../../store/store.ts';
import { MINUTE_MS } from '../../time/durations.ts';
import { Unauthorized } from '../guard.ts';
import { readFormBody, readJsonBody } from '../read-body.ts';
import type { FindSource } from '../source-address.ts';
import type { OAuthRouteDeps } from './forward-request.ts';

const REGISTRATIONS = {
  perAddress: { max: 60, windowMs: 10 * MINUTE_MS },
  total: { max: 150, windowMs: 5 * MINUTE_MS },
};
const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' };

/** Serves the endpoints that apps call directly, without the owner's browser. */
export function createAppEndpoints(deps: OAuthRouteDeps): Hono {
  const app = new Hono();
  const cleanUp = createCleanUp(deps.store.write.oauth);
  for (const path of [
    paths.token,
    paths.revocation,
    paths.introspection,
    paths.pushed_authorization_request,
    paths.device_authorization,
    paths.registration,
  ]) {
    app.use(path, async (c, next) => {
      c.header('pragma', NO_STORE.pragma);
      if (c.req.method === 'POST') return next();
      c.header('allow', 'POST');
      throw new AppError('method_not_allowed', 'This path supports only POST.');
    });
  }
  addRequests(app, deps);
  addTokens(app, deps, cleanUp);
  addRegistration(app, deps, cleanUp);
  return app;
}

type CleanUp = (now: Date) => Promise<void>;

/** Serves the requests that an app makes before it sends the owner here. */
function addRequests(
  app: Hono,
  { publicUrl, forwardRequest, throttleRequests, findSource, now }: OAuthRouteDeps,
): void {
  for (const path of [paths.pushed_authorization_request, paths.device_authorization]) {
    app.post(path, async (c) => {
      await throttleRequests(findSource(c), now());
      const form = await readFormBody(c);
      return forwardRequest(c, { body: prepareAuthorization(form, publicUrl).toString() });
    });
  }
}

function addTokens(app: Hono, deps: OAuthRouteDeps, cleanUp: CleanUp): void {
  const { server, publicUrl, forwardRequest, findSource, getCaller, now } = deps;
  const attemptToken = createTokenAttempts(deps.store, findSource, now);

  app.post(paths.token, async (c) => {
    await cleanUp(now());
    const form = await readFormBody(c);
    const attempt = await attemptToken(c, form);
    try {
      const answer = await forwardRequest(c, { body: prepareToken(form, publicUrl).toString() });
      if (answer.ok) await attempt.refund();
      return answer;
    } catch (error) {
      if (!(error instanceof errors.InvalidTarget)) throw error;
      return c.json({ error: 'invalid_target', error_description: error.error_description }, 400, NO_STORE);
    }
  });
  app.post(paths.revocation, async (c) => {
    const form = await readFormBody(c);
    const attempt = await attemptToken(c, form);
    const answer = await forwardRequest(c, { body: form.toString() });
    // RFC 7009 §2.2: an unknown token gets the same answer as a revoked one, but counts as a guess.
    if (answer.ok && attempt.isKnown) await attempt.refund();
    return answer;
  });
  app.post(paths.introspection, async (c) => {
    const caller = await getCaller(c).catch(async (error) => {
      await attemptToken(c);
      throw error;
    });
    if (caller.kind !== 'owner') throw new Unauthorized();
    const token = (await readFormBody(c)).get('token') ?? '';
    return c.json(await introspect(server.provider, token), 200, NO_STORE);
  });
}

function addRegistration(app: Hono, deps: OAuthRouteDeps, cleanUp: CleanUp): void {
  const { forwardRequest, findSource, writeEvent, now } = deps;
  const throttle = createThrottle('registrations', REGISTRATIONS, deps.store.shared?.attempts);
  app.post(paths.registration, async (c) => {
    await throttle(findSource(c), now());
    await cleanUp(now());
    try {
      const metadata = checkRegistration(await readJsonBody(c));
      return await forwardRequest(c, { body: JSON.stringify(metadata) });
    } catch (error) {
      if (!(error instanceof RegistrationError)) throw error;
      await writeEvent({ kind: 'registration_refused', detail: error.code }, now());
      return c.json({ error: error.code, error_description: error.message }, 400, NO_STORE);
    }
  });
}

/** Introspects a token for the owner (RFC 7662). The answer for an inactive token has no details. */
async function introspect(provider: Provider, value: string): Promise<Record<string, unknown>> {
  const token = (await provider.AccessToken.find(value)) ?? (await provider.RefreshToken.find(value));
  if (token === undefined || token.grantId === undefined || 'consumed' in token) return { active: false };
  const grant = await provider.Grant.find(token.grantId);
  if (grant === undefined) return { active: false };
  return {
    active: true,
    client_id: token.clientId,
    sub: token.accountId,
    scope: token.scope,
    exp: token.exp,
    iat: token.iat,
    iss: provider.issuer,
    grant_id: token.grantId,
    ...('aud' in token ? { aud: token.aud, token_type: 'Bearer' } : {}),
    ...(grant.rar === undefined ? {} : { authorization_details: grant.rar }),
  };
}

/** The parameters in which a client presents a credential, and the kinds of credentials that we issue. */
const CREDENTIAL_PARAMETERS = ['refresh_token', 'code', 'device_code', 'token'];
const CREDENTIAL_KINDS = ['RefreshToken', 'AuthorizationCode', 'DeviceCode'];

/**
 * Counts failures of token requests. A client that presents a credential of ours is counted by that credential; all
 * others by address. Another caller behind the same proxy can therefore not disconnect an app.
 */
function createTokenAttempts({ write, shared }: Store, findSource: FindSource, now: () => Date) {
  const unknown = {
    perAddress: { max: 100, windowMs: 10 * MINUTE_MS },
    total: { max: 300, windowMs: MINUTE_MS },
  };
  // A device that waits for its owner asks every five seconds.
  const known = {
    perAddress: { max: 300, windowMs: 10 * MINUTE_MS },
    total: { max: 3_000, windowMs: MINUTE_MS },
  };
  const throttleUnknown = createThrottle('tokens', unknown, shared?.attempts);
  const throttleKnown = createThrottle('known tokens', known, shared?.attempts);
  return async (c: Context, form?: URLSearchParams) => {
    const key = form && (await findCredential(write.oauth, form));
    const refund = await (key === undefined
      ? throttleUnknown(findSource(c), now())
      : throttleKnown({ key }, now()));
    return { isKnown: key !== undefined, refund };
  };
}

/** Returns the hash of the credential in a form if this server issued it, valid or not. */
async function findCredential(items: OAuthStore, form: URLSearchParams): Promise<string | undefined> {
  for (const name of CREDENTIAL_PARAMETERS) {
    const value = form.get(name);
    if (value === null) continue;
    const hash = hashToken(value);
    if (await items.isIssued(hash, CREDENTIAL_KINDS)) return hash;
  }
  return undefined;
}
