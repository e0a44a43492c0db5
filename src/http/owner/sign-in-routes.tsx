import { type Context, Hono } from 'hono';
import { LoginPage, NotSetUpPage } from '../../../dashboard/pages/login.tsx';
import { MessagePage } from '../../../dashboard/pages/message.tsx';
import { SetupPage } from '../../../dashboard/pages/setup.tsx';
import { AppError } from '../../errors.ts';
import { isLive } from '../../grants/grant.ts';
import { listGrants } from '../../grants/grant-store.ts';
import { createPublicFormat } from '../../guide/connect-guide.ts';
import { createThrottle } from '../../limits/throttle.ts';
import { TooManyRequests } from '../../limits/too-many-requests.ts';
import { hasPassphrase, isPassphrase } from '../../owner/passphrase.ts';
import { checkReturnPath } from '../../owner/return-path.ts';
import { checkSetupLink, takeSetupLink } from '../../owner/setup-link.ts';
import { loadCatalog } from '../../schema-index/catalog.ts';
import { placeTimeZone } from '../../schema-index/edit-catalog.ts';
import type { FormatCommand } from '../../text/hint.ts';
import { MINUTE_MS } from '../../time/durations.ts';
import { isTimeZone } from '../../time/instant.ts';
import { listZones } from '../../time/zones.ts';
import { describeSource } from '../client-address.ts';
import { setPageHeaders } from '../headers.ts';
import type { RouteDeps } from '../route-deps.ts';
import { explainRefusal, replacePassphrase } from './replace-passphrase.ts';

const ATTEMPTS = {
  perAddress: { most: 10, windowMs: 15 * MINUTE_MS },
  inAll: { most: 30, windowMs: 5 * MINUTE_MS },
};

export function createSignInRoutes(deps: RouteDeps): Hono {
  const formatCommand = createPublicFormat(deps.publicUrl, deps.called);
  const app = new Hono();
  addLogin(app, deps, formatCommand);
  addLogout(app, deps);
  addSetup(app, deps, formatCommand);
  return app;
}

function addLogin(app: Hono, deps: RouteDeps, formatCommand: FormatCommand): void {
  const reset = formatCommand('owner reset');
  const { owner, findSource, writeEvent, now } = deps;
  const store = deps.store.write;
  const throttle = createThrottle(ATTEMPTS);
  const throttleKnown = createThrottle(ATTEMPTS);

  app.get('/login', async (c) => {
    if (await owner.isOwner(c)) return c.redirect(checkReturnPath(c.req.query('return_to')), 303);
    return show(c, c.req.query('return_to'));
  });
  app.post('/login', async (c) => {
    const form = await owner.readForm(c);
    const returnTo = form.get('return_to') ?? undefined;
    let giveBack: () => void;
    try {
      const mark = owner.findMark(c);
      giveBack = mark === undefined ? throttle(findSource(c), now()) : throttleKnown({ key: mark }, now());
    } catch (error) {
      if (!(error instanceof TooManyRequests)) throw error;
      await writeEvent({ kind: 'rate_limited', detail: describeSource(findSource(c)) }, now());
      c.header('retry-after', String(error.retryAfterSeconds));
      // Strangers can use up the attempts; whoever sits at the server need not wait for them.
      const otherWay = `Or run ${reset} on the server: it prints a link that lets you in.`;
      return show(c, returnTo, `${error.message} ${error.hint} ${otherWay}`, 429);
    }
    if (!(await isPassphrase(store, form.get('passphrase') ?? ''))) {
      await writeEvent({ kind: 'sign_in_failed', detail: describeSource(findSource(c)) }, now());
      return show(c, returnTo, 'That is not the passphrase.', 401);
    }
    giveBack();
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
    const asker = uid === undefined ? undefined : await deps.server.consent.findAsker(uid);
    const props = { csrf: owner.csrf(c), returnTo: path, asker, problem, reset };
    return c.html(<LoginPage {...props} />, status);
  }
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
  const reset = formatCommand('owner reset');
  const { owner, writeEvent, now } = deps;
  const store = deps.store.write;

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
    if (zone !== null && !isTimeZone(zone)) return show(c, 'There is no time zone of that name.');
    if (passphrase !== form.get('again')) return show(c, 'The two are not the same.', zone);
    let isNewZone = false;
    try {
      await replacePassphrase(deps, c, passphrase, async () => {
        if (!(await takeSetupLink(store, secret, now()))) return false;
        if (zone !== null) isNewZone = await placeTimeZone(store, zone);
        return true;
      });
    } catch (error) {
      if (error instanceof AppError && error.code === 'gone') return showSpent(c);
      return show(c, explainRefusal(error), zone);
    }
    if (zone !== null && isNewZone) await writeEvent({ kind: 'time_zone_changed', detail: zone }, now());
    return c.redirect('/dashboard', 303);
  });

  /** With the zone that was sent, where one was: whoever mistypes a passphrase has said already where they are. */
  async function show(c: Context, problem?: string, sentZone: string | null = null) {
    setPageHeaders(c);
    const { timeZone } = await loadCatalog(store);
    const isFirst = !(await hasPassphrase(store));
    const live = (await listGrants(store)).filter((grant) => isLive(grant, now()));
    const props = {
      csrf: owner.csrf(c),
      action: c.req.path,
      zone: sentZone ?? timeZone,
      zones: listZones(),
      takesZone: !deps.zoneIsGiven && sentZone === null && isFirst,
      apps: isFirst ? undefined : live.length,
      endAll: formatCommand('grant revoke', '--all'),
      problem,
    };
    return c.html(<SetupPage {...props} />, problem === undefined ? 200 : 400);
  }

  function showSpent(c: Context) {
    setPageHeaders(c);
    return c.html(
      <MessagePage
        title="This link was used or has run out"
        text="Every link to set the passphrase works once, for an hour."
        hint={`\`${reset}\` prints a new one.`}
      />,
      410,
    );
  }
}
