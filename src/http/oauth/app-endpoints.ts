import { Hono } from 'hono';
import { AppError } from '../../errors.ts';
import { createThrottle } from '../../limits/throttle.ts';
import { introspect } from '../../oauth/introspect.ts';
import { errors } from '../../oauth/library.ts';
import { prepareAuthorization, prepareToken } from '../../oauth/prepare-parameters.ts';
import { paths } from '../../oauth/provider.ts';
import { checkRegistration, RegistrationError } from '../../oauth/register.ts';
import { createCleanUp } from '../../oauth/storage/clean-up.ts';
import { MINUTE_MS } from '../../time/durations.ts';
import { Unauthorized } from '../bearer.ts';
import { readFormBody, readJsonBody } from '../read-body.ts';
import type { OAuthRouteDeps } from './pass-on.ts';
import { createTokenAttempts } from './token-attempts.ts';

const REGISTRATIONS = {
  perAddress: { most: 60, windowMs: 10 * MINUTE_MS },
  inAll: { most: 150, windowMs: 5 * MINUTE_MS },
};
/** Nobody is to keep what is answered here. */
const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' };

/** Where apps post by themselves. */
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
      throw new AppError('method_not_allowed', 'Only POST is served here.');
    });
  }
  addRequests(app, deps);
  addTokens(app, deps, cleanUp);
  addRegistration(app, deps, cleanUp);
  return app;
}

type CleanUp = (now: Date) => Promise<void>;

/** Requests that an app makes before it sends the owner here. */
function addRequests(
  app: Hono,
  { publicUrl, passOn, throttleAsking, findSource, now }: OAuthRouteDeps,
): void {
  for (const path of [paths.pushed_authorization_request, paths.device_authorization]) {
    app.post(path, async (c) => {
      throttleAsking(findSource(c), now());
      const form = await readFormBody(c);
      return passOn(c, { body: prepareAuthorization(form, publicUrl).toString() });
    });
  }
}

function addTokens(app: Hono, deps: OAuthRouteDeps, cleanUp: CleanUp): void {
  const { server, publicUrl, passOn, findSource, getCaller, now } = deps;
  const attemptToken = createTokenAttempts(deps.store.write.oauth, findSource, now);

  app.post(paths.token, async (c) => {
    await cleanUp(now());
    const form = await readFormBody(c);
    const attempt = await attemptToken(c, form);
    try {
      const answer = await passOn(c, { body: prepareToken(form, publicUrl).toString() });
      if (answer.ok) attempt.giveBack();
      return answer;
    } catch (error) {
      if (!(error instanceof errors.InvalidTarget)) throw error;
      return c.json({ error: 'invalid_target', error_description: error.error_description }, 400, NO_STORE);
    }
  });
  app.post(paths.revocation, async (c) => {
    const form = await readFormBody(c);
    const attempt = await attemptToken(c, form);
    const answer = await passOn(c, { body: form.toString() });
    // RFC 7009 §2.2: a token that is not known is answered like one that was revoked, but it is a guess.
    if (answer.ok && attempt.isKnown) attempt.giveBack();
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
  const { passOn, findSource, writeEvent, now } = deps;
  const throttle = createThrottle(REGISTRATIONS);
  app.post(paths.registration, async (c) => {
    throttle(findSource(c), now());
    await cleanUp(now());
    try {
      const metadata = checkRegistration(await readJsonBody(c));
      return await passOn(c, { body: JSON.stringify(metadata) });
    } catch (error) {
      if (!(error instanceof RegistrationError)) throw error;
      await writeEvent({ kind: 'registration_refused', detail: error.code }, now());
      return c.json({ error: error.code, error_description: error.message }, 400, NO_STORE);
    }
  });
}
