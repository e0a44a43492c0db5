import { type Context, Hono } from 'hono';
import { LoginPage, NotSetUpPage } from '../../../dashboard/pages/login.tsx';
import { MessagePage } from '../../../dashboard/pages/message.tsx';
import { SetupPage } from '../../../dashboard/pages/setup.tsx';
import type { WriteEvent } from '../../audit/events.ts';
import { AppError } from '../../errors.ts';
import { isLive } from '../../grants/grant.ts';
import { listGrants } from '../../grants/grant-store.ts';
import { createThrottle } from '../../limits/throttle.ts';
import { TooManyRequests } from '../../limits/too-many-requests.ts';
import type { AskingClient } from '../../oauth/consent/asking-client.ts';
import { hasPassphrase, isPassphrase, setPassphrase } from '../../owner/passphrase.ts';
import { checkReturnPath } from '../../owner/return-path.ts';
import type { Sessions } from '../../owner/sessions.ts';
import { checkSetupLink, takeSetupLink } from '../../owner/setup-link.ts';
import { loadCatalog } from '../../schema-index/catalog.ts';
import { placeTimeZone } from '../../schema-index/edit-catalog.ts';
import type { WriteStore } from '../../store/sqlite/open-store.ts';
import type { FormatCommand } from '../../text/hint.ts';
import { isTimeZone } from '../../time/instant.ts';
import { listZones } from '../../time/zones.ts';
import { describeAttempter, type FindAttempter } from '../client-address.ts';
import { setPageHeaders } from '../headers.ts';
import type { OwnerDoor } from './owner-session.ts';

export interface OwnerRouteDeps {
  readonly store: WriteStore;
  readonly sessions: Sessions;
  readonly door: OwnerDoor;
  /** Which app waits for the owner at a page of ours, if one does. */
  readonly findAsker: (uid: string) => Promise<AskingClient | undefined>;
  readonly zoneIsGiven: boolean;
  readonly findAttempter: FindAttempter;
  readonly writeEvent: WriteEvent;
  readonly formatCommand: FormatCommand;
  readonly now: () => Date;
}

/** Setting the passphrase, signing in and signing out. */
export function createOwnerRoutes(deps: OwnerRouteDeps): Hono {
  const { store, sessions, door, findAttempter, writeEvent, formatCommand, now } = deps;
  const reset = formatCommand('owner reset');
  const app = new Hono();
  const attempts = {
    perAddress: { most: 10, windowMs: 15 * 60_000 },
    inAll: { most: 30, windowMs: 5 * 60_000 },
  };
  const throttle = createThrottle(attempts);
  const throttleKnown = createThrottle(attempts);

  app.get('/login', async (c) => {
    if (await door.isOwner(c)) return c.redirect(checkReturnPath(c.req.query('return_to')), 303);
    return showLogin(c, c.req.query('return_to'));
  });
  app.post('/login', async (c) => {
    const form = await door.readForm(c);
    const returnTo = form.get('return_to') ?? undefined;
    let giveBack: () => void;
    try {
      const mark = door.findMark(c);
      giveBack = mark === undefined ? throttle(findAttempter(c), now()) : throttleKnown({ key: mark }, now());
    } catch (error) {
      if (!(error instanceof TooManyRequests)) throw error;
      await writeEvent({ kind: 'rate_limited', detail: describeAttempter(findAttempter(c)) }, now());
      c.header('retry-after', String(error.retryAfterSeconds));
      // Strangers can use up the attempts; whoever sits at the server need not wait for them.
      const otherWay = `Or run ${reset} on the server: it prints a link that lets you in.`;
      return showLogin(c, returnTo, `${error.message} ${error.hint} ${otherWay}`, 429);
    }
    if (!(await isPassphrase(store, form.get('passphrase') ?? ''))) {
      await writeEvent({ kind: 'sign_in_failed', detail: describeAttempter(findAttempter(c)) }, now());
      return showLogin(c, returnTo, 'That is not the passphrase.', 401);
    }
    giveBack();
    await store.transact(() => door.signIn(c));
    await writeEvent({ kind: 'signed_in' }, now());
    return c.redirect(checkReturnPath(returnTo), 303);
  });

  app.post('/logout', door.requireOwner, async (c) => {
    await door.readForm(c);
    await door.signOut(c);
    return c.redirect('/login', 303);
  });
  app.post('/logout/everywhere', door.requireOwner, async (c) => {
    await door.readForm(c);
    await sessions.closeAll();
    await door.signOut(c);
    await writeEvent({ kind: 'signed_out_everywhere' }, now());
    return c.redirect('/login', 303);
  });

  app.get('/setup/:secret', async (c) => {
    const state = await checkSetupLink(store, c.req.param('secret'), now());
    return state === 'usable' ? await showSetup(c) : showSpent(c);
  });
  app.post('/setup/:secret', async (c) => {
    const form = await door.readForm(c);
    const secret = c.req.param('secret');
    if ((await checkSetupLink(store, secret, now())) !== 'usable') return showSpent(c);
    const passphrase = form.get('passphrase') ?? '';
    const zone = form.get('time_zone');
    if (zone !== null && !isTimeZone(zone)) return showSetup(c, 'There is no time zone of that name.');
    if (passphrase !== form.get('again')) return showSetup(c, 'The two are not the same.', zone);
    // Dated before the session that comes with it: at a start, sessions older than the event are ended again.
    const at = now();
    let isNewZone = false;
    try {
      await setPassphrase(
        store,
        passphrase,
        async () => {
          if (!(await takeSetupLink(store, secret, now()))) return false;
          await sessions.closeAll();
          await door.signIn(c);
          if (zone !== null) isNewZone = await placeTimeZone(store, zone);
          return true;
        },
        at,
      );
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.code === 'gone') return showSpent(c);
      if (error.code !== 'invalid_argument') throw error;
      return showSetup(c, `${error.message} ${error.hint ?? ''}`, zone);
    }
    await writeEvent({ kind: 'passphrase_set' }, at);
    if (zone !== null && isNewZone) await writeEvent({ kind: 'time_zone_changed', detail: zone }, now());
    return c.redirect('/dashboard', 303);
  });

  async function showLogin(
    c: Context,
    returnTo: string | undefined,
    problem?: string,
    status: 200 | 401 | 429 = 200,
  ) {
    setPageHeaders(c);
    if (!(await hasPassphrase(store))) return c.html(<NotSetUpPage reset={reset} />, 403);
    const path = checkReturnPath(returnTo);
    const [, uid] = /^\/oauth\/consent\/([\w-]+)$/.exec(path) ?? [];
    const asker = uid === undefined ? undefined : await deps.findAsker(uid);
    const props = { csrf: door.csrf(c), returnTo: path, asker, problem, reset };
    return c.html(<LoginPage {...props} />, status);
  }

  /** With the zone that was sent, where one was: whoever mistypes a passphrase has said already where they are. */
  async function showSetup(c: Context, problem?: string, sentZone: string | null = null) {
    setPageHeaders(c);
    const { timeZone } = await loadCatalog(store);
    const isFirst = !(await hasPassphrase(store));
    const live = (await listGrants(store)).filter((grant) => isLive(grant, now()));
    const props = {
      csrf: door.csrf(c),
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

  return app;
}
