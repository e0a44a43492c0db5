import { type Context, Hono } from 'hono';
import { MessagePage } from '../../../dashboard/pages/message.tsx';
import { LoginPage, NotSetUpPage } from '../../../dashboard/pages/visitors/login.tsx';
import { SetupPage } from '../../../dashboard/pages/visitors/setup.tsx';
import { AppError } from '../../errors.ts';
import { isLive } from '../../grants/grant.ts';
import { listGrants } from '../../grants/grant-store.ts';
import { createPublicFormat } from '../../guide/connect-guide.ts';
import { createThrottle } from '../../limits/throttle.ts';
import { TooManyRequests } from '../../limits/too-many-requests.ts';
import { hasPassphrase, isPassphrase } from '../../owner/passphrase.ts';
import { checkSetupLink, takeSetupLink } from '../../owner/setup-link.ts';
import { loadCatalog } from '../../schema-index/catalog.ts';
import { writeTimeZone } from '../../schema-index/edit-catalog.ts';
import type { FormatCommand } from '../../text/hint.ts';
import { MINUTE_MS } from '../../time/durations.ts';
import { isTimeZone } from '../../time/instant.ts';
import { listZones } from '../../time/zones.ts';
import { setPageHeaders } from '../page-headers.ts';
import type { RouteDeps } from '../route-deps.ts';
import { writeRefusal } from '../source-address.ts';
import { explainRefusal, replacePassphrase } from './replace-passphrase.ts';

const ATTEMPTS = {
  perAddress: { max: 10, windowMs: 15 * MINUTE_MS },
  total: { max: 30, windowMs: 5 * MINUTE_MS },
};

export function createSignInRoutes(deps: RouteDeps): Hono {
  const formatCommand = createPublicFormat(deps.publicUrl, deps.invocation);
  const app = new Hono();
  addLogin(app, deps, formatCommand('owner reset'));
  addLogout(app, deps);
  addSetup(app, deps, formatCommand);
  return app;
}

function addLogin(app: Hono, deps: RouteDeps, reset: string): void {
  const { owner, findSource, writeEvent, now } = deps;
  const store = deps.store.write;
  const shared = deps.store.shared?.attempts;
  const throttle = createThrottle('sign-ins', ATTEMPTS, shared);
  const throttleKnown = createThrottle('known browsers', ATTEMPTS, shared);

  app.get('/login', async (c) => {
    if (await owner.isOwner(c)) return c.redirect(checkReturnPath(c.req.query('return_to')), 303);
    return show(c, c.req.query('return_to'));
  });
  app.post('/login', async (c) => {
    const form = await owner.readForm(c);
    const returnTo = form.get('return_to') ?? undefined;
    let refund: () => Promise<void>;
    try {
      const browser = owner.findKnownBrowser(c);
      refund = await (browser === undefined
        ? throttle(findSource(c), now())
        : throttleKnown({ key: browser }, now()));
    } catch (error) {
      if (!(error instanceof TooManyRequests)) throw error;
      await writeRefusal(deps, 'rate_limited', c);
      c.header('retry-after', String(error.retryAfterSeconds));
      // Strangers can use up the attempts. The owner can sign in at the server without waiting.
      const alternative = `Or run ${reset} on the server to get a sign-in link.`;
      return show(c, returnTo, `${error.message} ${error.hint} ${alternative}`, 429);
    }
    if (!(await isPassphrase(store, form.get('passphrase') ?? ''))) {
      await writeRefusal(deps, 'sign_in_failed', c);
      return show(c, returnTo, 'Wrong passphrase.', 401);
    }
    await refund();
    await store.transact(() => owner.signIn(c));
    await writeEvent({ kind: 'signed_in' }, now());
    return c.redirect(checkReturnPath(returnTo), 303);
  });

  async function show(
    c: Context,
    returnTo: string | undefined,
    problem?: string,
    status: 200 | 401 | 429 = 200,
  ) {
    setPageHeaders(c);
    if (!(await hasPassphrase(store))) return c.html(<NotSetUpPage reset={reset} />, 403);
    const path = checkReturnPath(returnTo);
    const [, uid] = /^\/oauth\/consent\/([\w-]+)$/.exec(path) ?? [];
    const client = uid === undefined ? undefined : await deps.server.consent.findClient(uid);
    const props = { csrf: owner.csrf(c), returnTo: path, client, problem, reset };
    return c.html(<LoginPage {...props} />, status);
  }
}

const RETURN_PATHS = /^\/(dashboard|r\/|oauth\/consent\/|oauth\/device)/;
/** Excludes what a browser or a proxy could read as another host, a header or markup. */
const PLAIN_PATH = /^[\w\-./~%?=&:+,@*!'()]+$/;

/** Returns the path to go to after signing in: the one that was asked for if it is ours, else the dashboard. */
function checkReturnPath(path = ''): string {
  const isOurs = path.length <= 2_000 && RETURN_PATHS.test(path) && PLAIN_PATH.test(path);
  return isOurs && !/\/\/|%5c|%0[0-9a-f]/i.test(path) ? path : '/dashboard';
}

function addLogout(app: Hono, { owner, writeEvent, now }: RouteDeps): void {
  app.post('/logout', owner.requireOwner, async (c) => {
    await owner.readForm(c);
    await owner.signOut(c);
    return c.redirect('/login', 303);
  });
  app.post('/logout/everywhere', owner.requireOwner, async (c) => {
    await owner.readForm(c);
    await owner.signOutAll();
    await owner.signOut(c);
    await writeEvent({ kind: 'signed_out_everywhere' }, now());
    return c.redirect('/login', 303);
  });
}

function addSetup(app: Hono, deps: RouteDeps, formatCommand: FormatCommand): void {
  const { owner, writeEvent, now } = deps;
  const store = deps.store.write;
  const showSpent = (c: Context) => showSpentLink(c, formatCommand('owner reset'));
  const show = (c: Context, problem?: string, zone?: string | null) =>
    showSetup(c, deps, formatCommand('grant revoke', '--all'), problem, zone ?? undefined);

  app.get('/setup/:secret', async (c) => {
    const state = await checkSetupLink(store, c.req.param('secret'), now());
    return state === 'usable' ? await show(c) : showSpent(c);
  });
  app.post('/setup/:secret', async (c) => {
    const form = await owner.readForm(c);
    const secret = c.req.param('secret');
    if ((await checkSetupLink(store, secret, now())) !== 'usable') return showSpent(c);
    const passphrase = form.get('passphrase') ?? '';
    const zone = form.get('time_zone');
    if (zone !== null && !isTimeZone(zone)) return show(c, 'Unknown time zone.');
    if (passphrase !== form.get('again')) return show(c, 'The passphrases do not match.', zone);
    let isNewZone = false;
    try {
      await replacePassphrase(deps, c, passphrase, async () => {
        if (!(await takeSetupLink(store, secret, now()))) return false;
        if (zone !== null) isNewZone = await writeTimeZone(store, zone);
        return true;
      });
    } catch (error) {
      if (error instanceof AppError && error.code === 'gone') return showSpent(c);
      return show(c, explainRefusal(error), zone);
    }
    if (zone !== null && isNewZone) await writeEvent({ kind: 'time_zone_changed', detail: zone }, now());
    return c.redirect('/dashboard', 303);
  });
}

/** Shows the page that sets the passphrase. After a mistake it keeps the time zone that was sent. */
async function showSetup(
  c: Context,
  { store, owner, zoneIsGiven, now }: RouteDeps,
  endAll: string,
  problem: string | undefined,
  sentZone: string | undefined,
) {
  setPageHeaders(c);
  const { timeZone } = await loadCatalog(store.write);
  const isFirst = !(await hasPassphrase(store.write));
  const live = (await listGrants(store.write)).filter((grant) => isLive(grant, now()));
  const props = {
    csrf: owner.csrf(c),
    action: c.req.path,
    zone: sentZone ?? timeZone,
    zones: listZones(),
    usesBrowserZone: !zoneIsGiven && sentZone === undefined && isFirst,
    apps: isFirst ? undefined : live.length,
    endAll,
    problem,
  };
  return c.html(<SetupPage {...props} />, problem === undefined ? 200 : 400);
}

function showSpentLink(c: Context, reset: string) {
  setPageHeaders(c);
  return c.html(
    <MessagePage
      title="This link was used or has expired"
      text="A link to set the passphrase works once and expires after an hour."
      hint={`Run \`${reset}\` to get a new one.`}
    />,
    410,
  );
}
