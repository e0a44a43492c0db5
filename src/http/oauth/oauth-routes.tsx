import { type Context, Hono } from 'hono';
import { cors } from 'hono/cors';
import { MessagePage } from '../../../dashboard/pages/message.tsx';
import type { WriteEvent } from '../../audit/events.ts';
import { AppError } from '../../errors.ts';
import { createThrottle } from '../../limits/throttle.ts';
import { forward } from '../../oauth/forward.ts';
import { introspect } from '../../oauth/introspect.ts';
import { errors } from '../../oauth/library.ts';
import { describeServer, metadataPaths } from '../../oauth/metadata.ts';
import { prepareAuthorization, prepareToken } from '../../oauth/prepare-parameters.ts';
import { paths } from '../../oauth/provider.ts';
import { checkRegistration, RegistrationError } from '../../oauth/register.ts';
import type { AuthorizationServer } from '../../oauth/server.ts';
import { createCleanUp } from '../../oauth/storage/clean-up.ts';
import type { Caller } from '../../reads/caller.ts';
import type { WriteStore } from '../../store/sqlite/open-store.ts';
import { findStoreError } from '../../store/sqlite/store-error.ts';
import type { FindAttempter } from '../client-address.ts';
import { setPageHeaders } from '../headers.ts';
import { Unauthorized } from '../host-guard.ts';
import type { OwnerDoor } from '../owner/owner-session.ts';
import { readFormBody, readJsonBody } from '../read-body.ts';
import { type ConsentRouteDeps, createConsentRoutes } from './consent-routes.tsx';
import { DEVICE_HEADERS } from './oauth-pages.tsx';
import { createTokenAttempts } from './token-attempts.ts';

export interface OAuthRouteDeps extends AuthorizationServer {
  readonly publicUrl: string;
  readonly store: WriteStore;
  readonly door: OwnerDoor;
  readonly readSamples: ConsentRouteDeps['readSamples'];
  readonly getCaller: (c: Context) => Promise<Caller>;
  readonly findAttempter: FindAttempter;
  readonly writeEvent: WriteEvent;
  readonly now: () => Date;
}

const BODY_BYTES = 64 * 1024;
const MINUTE = 60_000;
/** Where apps post by themselves. Nobody is to keep what is answered there. */
const forApps = [
  paths.token,
  paths.revocation,
  paths.introspection,
  paths.pushed_authorization_request,
  paths.device_authorization,
  paths.registration,
];
/** What belongs to one answer on its way would be wrong on another, and no page of another origin is to read it. */
const NOT_PASSED_ON = /^(connection|content-length|date|access-control-.*)$/;
const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' };

/** Everything under /oauth, and the document that says where it is. */
export function createOAuthRoutes(deps: OAuthRouteDeps): Hono {
  const { provider, publicUrl, door, findAttempter, now } = deps;
  const app = new Hono();
  const cleanUp = createCleanUp(deps.items);
  const throttleRegistration = createThrottle({
    perAddress: { most: 60, windowMs: 10 * MINUTE },
    inAll: { most: 150, windowMs: 5 * MINUTE },
  });
  // Each request of a stranger is remembered until it runs out, and noted for the owner.
  const throttleAsking = createThrottle({
    perAddress: { most: 300, windowMs: 10 * MINUTE },
    inAll: { most: 500, windowMs: 5 * MINUTE },
  });
  const attemptToken = createTokenAttempts(deps.items, deps.findAttempter, now);

  const document = describeServer(publicUrl);
  for (const path of metadataPaths) {
    // Pages of other origins may read this: it is the same for everyone.
    app.use(path, cors({ origin: '*', allowMethods: ['GET', 'HEAD'] }));
    app.get(path, (c) => c.json(document));
  }

  /** Hands a request on with another query or body, and dresses the answer like all of ours. */
  const pass = async (
    c: Context,
    change: { search?: string; body?: string; headers?: Record<string, string> } = {},
  ) => {
    const url = new URL(c.req.path, publicUrl);
    url.search = change.search ?? new URL(c.req.url).search;
    const headers = new Headers(c.req.raw.headers);
    for (const name of Object.values(DEVICE_HEADERS)) headers.delete(name);
    for (const [name, value] of new Headers(change.headers)) headers.set(name, value);
    // Which origins are answered is decided at our own door; the library would reflect them.
    for (const name of ['origin', 'transfer-encoding']) headers.delete(name);
    if (change.body !== undefined) headers.set('content-length', String(Buffer.byteLength(change.body)));
    const request = new Request(url, {
      method: c.req.method,
      headers,
      ...(change.body === undefined ? {} : { body: change.body }),
    });
    const answer = await forward(deps, request);
    if (answer.headers.get('content-type')?.startsWith('text/html')) setPageHeaders(c);
    for (const [name, value] of answer.headers) {
      if (NOT_PASSED_ON.test(name)) continue;
      c.header(name, name === 'location' ? writeSpaces(value) : value, { append: name === 'set-cookie' });
    }
    return c.body(await answer.text(), answer.status as 200);
  };

  for (const path of forApps) {
    app.use(path, async (c, next) => {
      c.header('pragma', NO_STORE.pragma);
      if (c.req.method === 'POST') return next();
      c.header('allow', 'POST');
      throw new AppError('method_not_allowed', 'Only POST is served here.');
    });
  }

  app.get(paths.authorization, async (c) => {
    if (!(await door.isOwner(c))) throttleAsking(findAttempter(c), now());
    const sent = new URL(c.req.url).searchParams;
    const answer = await pass(c, { search: prepareAuthorization(sent, publicUrl).toString() });
    return keepFromRedirecting(c, answer);
  });
  app.get(`${paths.authorization}/:uid`, async (c) => keepFromRedirecting(c, await pass(c)));

  for (const path of [paths.pushed_authorization_request, paths.device_authorization]) {
    app.post(path, async (c) => {
      throttleAsking(findAttempter(c), now());
      const form = await readOAuthForm(c);
      return pass(c, { body: prepareAuthorization(form, publicUrl).toString() });
    });
  }
  app.post(paths.token, async (c) => {
    await cleanUp(now());
    const form = await readOAuthForm(c);
    const attempt = await attemptToken(c, form);
    try {
      const answer = await pass(c, { body: prepareToken(form, publicUrl).toString() });
      if (answer.ok) attempt.giveBack();
      return answer;
    } catch (error) {
      if (!(error instanceof errors.InvalidTarget)) throw error;
      return c.json({ error: 'invalid_target', error_description: error.error_description }, 400, NO_STORE);
    }
  });
  app.post(paths.revocation, async (c) => {
    const form = await readOAuthForm(c);
    const attempt = await attemptToken(c, form);
    const answer = await pass(c, { body: form.toString() });
    // RFC 7009 §2.2: a token that is not known is answered like one that was revoked, but it is a guess.
    if (answer.ok && attempt.isKnown) attempt.giveBack();
    return answer;
  });
  app.post(paths.introspection, async (c) => {
    const caller = await deps.getCaller(c).catch(async (error) => {
      await attemptToken(c);
      throw error;
    });
    if (caller.kind !== 'owner') throw new Unauthorized(false, false);
    const token = (await readOAuthForm(c)).get('token') ?? '';
    return c.json(await introspect(provider, token), 200, NO_STORE);
  });
  app.post(paths.registration, async (c) => {
    throttleRegistration(findAttempter(c), now());
    await cleanUp(now());
    try {
      const metadata = checkRegistration(await readJsonBody(c, BODY_BYTES));
      return await pass(c, { body: JSON.stringify(metadata) });
    } catch (error) {
      if (!(error instanceof RegistrationError)) throw error;
      await deps.writeEvent({ kind: 'registration_refused', detail: error.code }, now());
      return c.json({ error: error.code, error_description: error.message }, 400, NO_STORE);
    }
  });

  app.use(`${paths.code_verification}/*`, async (c, next) => {
    if (c.req.path === paths.device_authorization) return next();
    return door.requireOwner(c, next);
  });
  app.use(paths.code_verification, door.requireOwner);
  /** Any answer here may be the form for a code, which has to be one of this browser's. */
  const passDevice = (c: Context, change: { search?: string; body?: string; userCode?: string } = {}) => {
    const { userCode, ...rest } = change;
    const headers = {
      [DEVICE_HEADERS.csrf]: door.csrf(c),
      ...(userCode ? { [DEVICE_HEADERS.userCode]: userCode } : {}),
    };
    return pass(c, { ...rest, headers });
  };
  app.get(paths.code_verification, (c) => {
    const userCode = c.req.query('user_code')?.replace(/[^A-Za-z0-9-]/g, '') ?? '';
    return passDevice(c, { search: '', userCode });
  });
  /** The library stumbles where it does not know the browser, or not any more: whoever is late types the code again. */
  const orAgain = (c: Context) => (error: unknown) => {
    if (findStoreError(error) !== undefined) throw error;
    return c.redirect(paths.code_verification, 303);
  };
  app.post(paths.code_verification, async (c) =>
    passDevice(c, { body: (await door.readForm(c)).toString() }).catch(orAgain(c)),
  );
  app.get(`${paths.code_verification}/:uid`, (c) => passDevice(c).catch(orAgain(c)));

  app.route('/', createConsentRoutes(deps));

  /** RFC 9700 §4.11.2: a stranger's link must not use this server to send a browser anywhere by itself. */
  async function keepFromRedirecting(c: Context, answer: Response): Promise<Response> {
    const target = answer.headers.get('location');
    if (target === null || target.startsWith('/') || target.startsWith(`${publicUrl}/`)) return answer;
    if (await door.isOwner(c)) return answer;
    c.header('location', undefined);
    setPageHeaders(c);
    const link = { href: target, label: 'Back to the app' };
    return c.html(
      <MessagePage
        title="That did not work"
        text="The app sent a request that cannot be served."
        link={link}
      />,
      400,
    );
  }

  return app;
}

/** Codex and others print an error as it came: a space written as a plus sign would be shown as one. */
function writeSpaces(location: string): string {
  return location.replace(/[?#].*/s, (parameters) => parameters.replaceAll('+', '%20'));
}

async function readOAuthForm(c: Context): Promise<URLSearchParams> {
  return readFormBody(c, BODY_BYTES);
}
