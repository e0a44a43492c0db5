import { type Context, Hono } from 'hono';
import { ConsentPage } from '../../../dashboard/pages/consent.tsx';
import { MessagePage } from '../../../dashboard/pages/message.tsx';
import type { PendingRequest } from '../../oauth/consent/consent.ts';
import { FormRefused } from '../../oauth/consent/consent-choice.ts';
import { fillForm } from '../../oauth/consent/consent-form.ts';
import { formActionFor, setPageHeaders } from '../headers.ts';
import type { RouteDeps } from '../route-deps.ts';
import { createChoiceReader } from './choice-reader.ts';

export const CONSENT_BYTES = 2 * 1024 * 1024;

const CHANGED =
  'Something changed since you opened this page. What you had ticked is still ticked, as far as it is still there; what is new is not. Please look again.';
const NOT_YET = 'Nothing is approved yet. This is what you had chosen.';

/** The page on which the owner decides. Only a form from this very page, repeating what it showed, is a yes. */
export function createConsentRoutes({ server, owner, readSamples, now }: RouteDeps): Hono {
  const { consent } = server;
  const app = new Hono();
  const readShown = createChoiceReader(readSamples, now);
  app.post('/oauth/consent/:uid', async (c, next) => {
    // The session may have ended while the owner was reading: what was ticked waits for the next sign-in.
    // Only a browser in which the owner was signed in before can leave something here.
    if (owner.findMark(c) === undefined || (await owner.isOwner(c))) return next();
    const form = await owner.readForm(c, CONSENT_BYTES);
    if (!(await consent.keep(cookiesOf(c), form))) return next();
    return c.redirect(`/login?return_to=${encodeURIComponent(c.req.path)}`, 303);
  });
  app.use('/oauth/consent/:uid', owner.requireOwner);
  app.get('/oauth/consent/:uid', async (c) => {
    const pending = await consent.find(cookiesOf(c));
    if (pending === undefined) return showExpired(c);
    const { sent, offer } = pending;
    if (sent === undefined) return showConsent(c, pending, sent);
    if (sent.get('digest') !== offer.digest) return showConsent(c, pending, sent, CHANGED);
    // Whoever pressed a preset has only chosen.
    return showConsent(c, pending, sent, sent.has('preset') ? undefined : NOT_YET);
  });
  app.post('/oauth/consent/:uid', async (c) => {
    const form = await owner.readForm(c, CONSENT_BYTES);
    const pending = await consent.find(cookiesOf(c));
    if (pending === undefined) return showExpired(c);
    if (form.has('preset')) {
      await consent.keep(cookiesOf(c), form);
      return c.redirect(`${c.req.path}#choose`, 303);
    }
    if (form.get('decision') !== 'approve') return c.redirect(await consent.deny(cookiesOf(c), pending), 303);
    if (form.get('digest') !== pending.offer.digest) return showAgain(c, pending, form, CHANGED, 409);
    try {
      return c.redirect(await consent.approve(cookiesOf(c), pending, form), 303);
    } catch (error) {
      if (!(error instanceof FormRefused)) throw error;
      return showAgain(c, pending, form, undefined, 400);
    }
  });

  /** Exactly as it was sent, now and when the page is loaded anew. */
  async function showAgain(
    c: Context,
    pending: PendingRequest,
    form: URLSearchParams,
    notice: string | undefined,
    status: 400 | 409,
  ) {
    await consent.keep(cookiesOf(c), form);
    return showConsent(c, pending, form, notice, status);
  }

  async function showConsent(
    c: Context,
    pending: PendingRequest,
    sent: URLSearchParams | undefined,
    notice?: string,
    status: 200 | 400 | 409 = 200,
  ) {
    const { offer, changed } = pending;
    const { shown } = await readShown(c.req.path, pending, fillForm(offer, sent), sent);
    setPageHeaders(c, formActionFor(offer.client.redirect_uri));
    return c.html(<ConsentPage {...shown} changed={changed} csrf={owner.csrf(c)} notice={notice} />, status);
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
