import { type Context, Hono } from 'hono';
import { ConsentPage } from '../../../dashboard/pages/consent.tsx';
import { MessagePage } from '../../../dashboard/pages/message.tsx';
import type { PendingRequest } from '../../oauth/consent/consent.ts';
import { FormRefused } from '../../oauth/consent/consent-choice.ts';
import { fillForm } from '../../oauth/consent/consent-form.ts';
import { formActionFor, setPageHeaders } from '../page-headers.ts';
import type { RouteDeps } from '../route-deps.ts';
import { createChoiceReader } from './choice-reader.ts';

export const CONSENT_BYTES = 2 * 1024 * 1024;

const CHANGED =
  'Something changed since you opened this page. Your selection is kept where possible; new items are not selected. Please check again.';
const NOT_APPROVED_YET = 'Nothing is approved yet. Your selection is still here.';

/** Serves the consent page. An approval must come from this page and repeat the digest of what it showed. */
export function createConsentRoutes(deps: RouteDeps): Hono {
  const { owner } = deps;
  const { consent } = deps.server;
  const app = new Hono();
  const show = createConsentView(deps);
  app.post('/oauth/consent/:uid', async (c, next) => {
    // The session may have expired while the owner was reading: the form is kept until the next sign-in.
    // Only a browser in which the owner has signed in before can store a form.
    if (owner.findKnownBrowser(c) === undefined || (await owner.isOwner(c))) return next();
    const form = await owner.readForm(c, CONSENT_BYTES);
    if (!(await consent.saveForm(cookiesOf(c), form))) return next();
    return c.redirect(`/login?return_to=${encodeURIComponent(c.req.path)}`, 303);
  });
  app.use('/oauth/consent/:uid', owner.requireOwner);
  app.get('/oauth/consent/:uid', async (c) => {
    const pending = await consent.find(cookiesOf(c));
    if (pending === undefined) return showExpired(c);
    const { sent, offer } = pending;
    if (sent === undefined) return show(c, pending, sent);
    if (sent.get('digest') !== offer.digest) return show(c, pending, sent, CHANGED);
    return show(c, pending, sent, sent.has('preset') ? undefined : NOT_APPROVED_YET);
  });
  app.post('/oauth/consent/:uid', async (c) => {
    const form = await owner.readForm(c, CONSENT_BYTES);
    const request = cookiesOf(c);
    const pending = await consent.find(request);
    if (pending === undefined) return showExpired(c);
    if (form.has('preset')) {
      await consent.saveForm(request, form);
      return c.redirect(`${c.req.path}#choose`, 303);
    }
    if (form.get('decision') !== 'approve') return c.redirect(await consent.deny(request, pending), 303);
    if (form.get('digest') !== pending.offer.digest) {
      await consent.saveForm(request, form);
      return show(c, pending, form, CHANGED, 409);
    }
    try {
      return c.redirect(await consent.approve(request, pending, form), 303);
    } catch (error) {
      if (!(error instanceof FormRefused)) throw error;
      await consent.saveForm(request, form);
      return show(c, pending, form, undefined, 400);
    }
  });
  return app;
}

function createConsentView({ owner, readSamples, now }: RouteDeps) {
  const readShown = createChoiceReader(readSamples, now);
  return async (
    c: Context,
    pending: PendingRequest,
    sent: URLSearchParams | undefined,
    notice?: string,
    status: 200 | 400 | 409 = 200,
  ) => {
    const { offer, changed } = pending;
    const { shown } = await readShown(c.req.path, pending, fillForm(offer, sent), sent);
    setPageHeaders(c, formActionFor(offer.client.redirect_uri));
    return c.html(
      <ConsentPage {...shown} hasClientChanged={changed} csrf={owner.csrf(c)} notice={notice} />,
      status,
    );
  };
}

function showExpired(c: Context) {
  setPageHeaders(c);
  return c.html(<MessagePage title="This request has expired" text="Start again from the app." />, 410);
}

/** Returns a request with only the cookies, by which the library finds the pending request. */
function cookiesOf(c: Context): Request {
  return new Request(c.req.url, { headers: { cookie: c.req.header('cookie') ?? '' } });
}
