import type { Context, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { AppError } from '../../errors.ts';
import { createSessions, type OpenSession } from '../../owner/sessions.ts';
import { createToken } from '../../secrets/token.ts';
import type { Store } from '../../store/store.ts';
import { readFormBody } from '../read-body.ts';
import { wantsPage } from '../request-kind.ts';

export type OwnerSession = ReturnType<typeof createOwnerSession>;

/** How the owner's browser is known, and how a form proves that it came from one of our own pages. */
export function createOwnerSession(publicUrl: string, store: Store, now: () => Date) {
  const sessions = createSessions(store);
  const url = new URL(publicUrl);
  const secure = url.protocol === 'https:';
  // Cookies of one host are shared by all its ports, and two servers may run on one computer.
  const name = secure ? '__Host-pdpp' : `pdpp_${url.port || '80'}`;
  const markName = `${name}_known`;
  const keep = (c: Context, cookie: string, value: string, days: number) =>
    setCookie(c, cookie, value, {
      path: '/',
      httpOnly: true,
      sameSite: 'Lax',
      secure,
      maxAge: days * 86_400,
    });
  const set = (c: Context, value: string) => keep(c, name, value, 30);
  /**
   * The mark of a browser in which the owner has signed in before. Its attempts are counted by themselves, so
   * that strangers who try passphrases do not keep the owner out.
   */
  const findMark = (c: Context): string | undefined => {
    const mark = getCookie(c, markName);
    return mark !== undefined && sessions.isMark(mark) ? mark : undefined;
  };

  const isOwner = async (c: Context) => {
    const value = getCookie(c, name);
    return value !== undefined && (await sessions.isOpen(value, now()));
  };
  const checkCsrf = (c: Context, csrf: string) => {
    if (!sessions.isCsrf(getCookie(c, name) ?? '', csrf)) throw forbidden();
  };
  return {
    isOwner,
    /** Lets the owner through; sends a browser to the sign-in page and tells anything else to go there. */
    requireOwner: (async (c, next) => {
      if (await isOwner(c)) return next();
      if (c.req.method !== 'GET' || !wantsPage(c))
        throw new AppError('not_signed_in', 'Only the signed-in owner may see this.');
      const { pathname, search } = new URL(c.req.url);
      return c.redirect(`/login?return_to=${encodeURIComponent(`${pathname}${search}`)}`, 303);
    }) satisfies MiddlewareHandler,
    /** The value that forms on this page must carry. Gives a browser without a cookie one. */
    csrf(c: Context): string {
      const value = getCookie(c, name) ?? createToken();
      if (getCookie(c, name) === undefined) set(c, value);
      return sessions.csrf(value);
    },
    /** The fields of a form that came from one of our pages in this very browser. */
    async readForm(c: Context, maxBytes?: number): Promise<URLSearchParams> {
      checkSameOrigin(c, publicUrl);
      const form = await readFormBody(c, maxBytes);
      checkCsrf(c, form.get('csrf') ?? '');
      return form;
    },
    /** With `checkCsrf` the same proof for a form that is read by somebody else. */
    checkSender: (c: Context) => checkSameOrigin(c, publicUrl),
    checkCsrf,
    findMark,
    listSessions: (c: Context): Promise<OpenSession[]> => sessions.list(getCookie(c, name) ?? '', now()),
    async signIn(c: Context): Promise<void> {
      // A new value, so that one planted before signing in is worth nothing after, and the only one for this browser.
      await sessions.close(getCookie(c, name) ?? '');
      const value = await sessions.open(c.req.header('user-agent'), now());
      // If that is undone after all, the browser keeps what it had, and the form it sent can be sent again.
      await store.write.afterCommit(async () => {
        keep(c, markName, findMark(c) ?? sessions.createMark(), 365);
        set(c, value);
      });
    },
    async signOut(c: Context): Promise<void> {
      const value = getCookie(c, name);
      if (value !== undefined) await sessions.close(value);
      set(c, createToken());
    },
    signOutAll: sessions.closeAll,
  };
}

/** Browsers say where a form was sent from; a page of ours is the only place it may come from. */
function checkSameOrigin(c: Context, publicUrl: string): void {
  const site = c.req.header('sec-fetch-site');
  const origin = c.req.header('origin');
  const fine =
    site === undefined ? origin === publicUrl || origin === ownOrigin(c, publicUrl) : site === 'same-origin';
  if (!fine) throw forbidden();
}

/** The origin this request came in by; its Host was checked before. Only other names are plain http. */
function ownOrigin(c: Context, publicUrl: string): string {
  const host = c.req.header('host');
  return host === new URL(publicUrl).host ? publicUrl : `http://${host}`;
}

function forbidden(): AppError {
  return new AppError('forbidden_form', 'The form did not come from this page.', {
    hint: 'Go back, reload the page and try again.',
  });
}
