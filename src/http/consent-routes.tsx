import { type Context, Hono } from 'hono';
import { formActionFor, setPageHeaders } from '../../dashboard/page-headers.ts';
import { ConsentPage } from '../../dashboard/pages/consent.tsx';
import { MessagePage } from '../../dashboard/pages/message.tsx';
import { AppError } from '../errors.ts';
import { expiryChoices } from '../grants/expiry-choice.ts';
import type { Consent, PendingRequest } from '../oauth/consent/consent.ts';
import { fillForm, windowChoices } from '../oauth/consent/consent-form.ts';
import type { OwnerDoor } from './owner-door.ts';

const CONSENT_BYTES = 2 * 1024 * 1024;

const CHANGED =
  'Something changed since you opened this page. What you had ticked is still ticked, as far as it is still there; what is new is not. Please look again.';
const NOT_YET = 'Nothing is approved yet. This is what you had chosen.';

/** The page on which the owner decides. Only a form from this very page, repeating what it showed, is a yes. */
export function createConsentRoutes({ consent, door }: { consent: Consent; door: OwnerDoor }): Hono {
  const app = new Hono();
  app.post('/oauth/consent/:uid', async (c, next) => {
    // The session may have ended while the owner was reading: what was ticked waits for the next sign-in.
    // Only a browser in which the owner was signed in before can leave something here.
    if (door.findMark(c) === undefined || (await door.isOwner(c))) return next();
    const form = await door.readForm(c, CONSENT_BYTES);
    if (!(await consent.keep(cookiesOf(c), form))) return next();
    return c.redirect(`/login?return_to=${encodeURIComponent(c.req.path)}`, 303);
  });
  app.use('/oauth/consent/:uid', door.requireOwner);
  app.get('/oauth/consent/:uid', async (c) => {
    const pending = await consent.find(cookiesOf(c));
    if (pending === undefined) return showExpired(c);
    const { sent, offer } = pending;
    if (sent === undefined) return showConsent(c, pending, sent);
    return showConsent(c, pending, sent, sent.get('digest') === offer.digest ? NOT_YET : CHANGED);
  });
  app.post('/oauth/consent/:uid', async (c) => {
    const form = await door.readForm(c, CONSENT_BYTES);
    const pending = await consent.find(cookiesOf(c));
    if (pending === undefined) return showExpired(c);
    if (form.get('decision') !== 'approve') return c.redirect(await consent.deny(cookiesOf(c), pending), 303);
    if (form.get('digest') !== pending.offer.digest) return showAgain(c, pending, form, CHANGED, 409);
    try {
      return c.redirect(await consent.approve(cookiesOf(c), pending, form), 303);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'invalid_argument') throw error;
      return showAgain(c, pending, form, `${error.message} ${error.hint ?? ''}`, 400);
    }
  });

  /** Exactly as it was sent, now and when the page is loaded anew. */
  async function showAgain(
    c: Context,
    pending: PendingRequest,
    form: URLSearchParams,
    problem: string,
    status: 400 | 409,
  ) {
    await consent.keep(cookiesOf(c), form);
    return showConsent(c, pending, form, problem, status);
  }

  function showConsent(
    c: Context,
    { offer, changed }: PendingRequest,
    sent: URLSearchParams | undefined,
    problem?: string,
    status: 200 | 400 | 409 = 200,
  ) {
    setPageHeaders(c, formActionFor(offer.client.redirect_uri));
    return c.html(
      <ConsentPage
        offer={offer}
        form={fillForm(offer, sent)}
        changed={changed}
        csrf={door.csrf(c)}
        action={c.req.path}
        windows={windowChoices}
        expiries={expiryChoices}
        problem={problem}
      />,
      status,
    );
  }

  function showExpired(c: Context) {
    setPageHeaders(c);
    return c.html(
      <MessagePage title="This request has run out" text="Start again from the app that wants to connect." />,
      410,
    );
  }

  return app;
}

/** The library knows a pending request by the browser's cookies; the body was ours to read. */
function cookiesOf(c: Context): Request {
  return new Request(c.req.url, { headers: { cookie: c.req.header('cookie') ?? '' } });
}
