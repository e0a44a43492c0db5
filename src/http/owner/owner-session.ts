import type { Context, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { AppError } from '../../errors.ts';
import { createSessions } from '../../owner/sessions.ts';
import { createToken } from '../../secrets/token.ts';
import type { Store } from '../../store/store.ts';
import { wantsPage } from '../guard.ts';
import { readFormBody } from '../read-body.ts';

export type OwnerSession = ReturnType<typeof createOwnerSession>;

/** Identifies the owner's browser by a cookie, and checks that a form came from one of our own pages. */
export function createOwnerSession(publicUrl: string, store: Store, now: () => Date) {
  const sessions = createSessions(store);
  const { session, known } = createCookies(publicUrl);

  const isOwner = async (c: Context) => {
    const value = session.get(c);
    return value !== undefined && (await sessions.isOpen(value, now()));
  };
  const checkCsrf = (c: Context, csrf: string) => {
    if (!sessions.isCsrf(session.get(c) ?? '', csrf)) throw forbidden();
  };
  /**
   * Returns the id of a browser in which the owner has signed in before. Its attempts are counted separately, so that
   * wrong guesses from other browsers do not lock the owner out.
   */
  const findKnownBrowser = (c: Context): string | undefined => {
    const id = known.get(c);
    return id !== undefined && sessions.isKnownBrowser(id) ? id : undefined;
  };
  return {
    isOwner,
    requireOwner: createOwnerGuard(isOwner),
    /** Returns the value that forms on this page must carry. Sets a cookie in a browser that has none. */
    csrf(c: Context): string {
      const value = session.get(c) ?? createToken();
      if (session.get(c) === undefined) session.set(c, value);
      return sessions.csrf(value);
    },
    /** Reads a form, and refuses one that did not come from a page of ours in this browser. */
    async readForm(c: Context, maxBytes?: number): Promise<URLSearchParams> {
      checkSameOrigin(c, publicUrl);
      const form = await readFormBody(c, maxBytes);
      checkCsrf(c, form.get('csrf') ?? '');
      return form;
    },
    /** Together with `checkCsrf` the same check for an upload, which is read as a stream. */
    checkSender: (c: Context) => checkSameOrigin(c, publicUrl),
    checkCsrf,
    findKnownBrowser,
    listSessions: (c: Context) => sessions.list(session.get(c) ?? '', now()),
    async signIn(c: Context): Promise<void> {
      // A new value, because somebody may have planted the old one before the owner signed in.
      await sessions.close(session.get(c) ?? '');
      const value = await sessions.open(c.req.header('user-agent'), now());
      // If the transaction is rolled back, the browser keeps its cookie and can send the form again.
      await store.write.afterCommit(async () => {
        known.set(c, findKnownBrowser(c) ?? sessions.createKnownBrowser());
        session.set(c, value);
      });
    },
    async signOut(c: Context): Promise<void> {
      const value = session.get(c);
      if (value !== undefined) await sessions.close(value);
      session.set(c, createToken());
    },
    signOutAll: sessions.closeAll,
  };
}

function createCookies(publicUrl: string) {
  const { protocol, port } = new URL(publicUrl);
  const secure = protocol === 'https:';
  // All ports of a host share its cookies, and two servers may run on one computer.
  const name = secure ? '__Host-pdpp' : `pdpp_${port || '80'}`;
  const createCookie = (cookie: string, days: number) => ({
    get: (c: Context) => getCookie(c, cookie),
    set: (c: Context, value: string) =>
      setCookie(c, cookie, value, {
        path: '/',
        httpOnly: true,
        sameSite: 'Lax',
        secure,
        maxAge: days * 86_400,
      }),
  });
  return { session: createCookie(name, 30), known: createCookie(`${name}_known`, 365) };
}

/** Lets the owner pass, redirects a browser to the sign-in page, and refuses everything else. */
function createOwnerGuard(isOwner: (c: Context) => Promise<boolean>): MiddlewareHandler {
  return async (c, next) => {
    if (await isOwner(c)) return next();
    if (c.req.method !== 'GET' || !wantsPage(c))
      throw new AppError('not_signed_in', 'Sign in as the owner to see this.');
    const { pathname, search } = new URL(c.req.url);
    return c.redirect(`/login?return_to=${encodeURIComponent(`${pathname}${search}`)}`, 303);
  };
}

/** Refuses a form that a browser sent from another origin. */
function checkSameOrigin(c: Context, publicUrl: string): void {
  const site = c.req.header('sec-fetch-site');
  const origin = c.req.header('origin');
  const host = c.req.header('host');
  // The host guard has checked the Host. Names other than the public one are plain http.
  const ownOrigin = host === new URL(publicUrl).host ? publicUrl : `http://${host}`;
  const isSame = site === undefined ? origin === publicUrl || origin === ownOrigin : site === 'same-origin';
  if (!isSame) throw forbidden();
}

function forbidden(): AppError {
  return new AppError('forbidden_form', 'The form did not come from this page.', {
    hint: 'Go back, reload the page and try again.',
  });
}
