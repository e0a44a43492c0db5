import { type Context, Hono } from 'hono';
import { formActionFor, setPageHeaders } from '../dashboard/page-headers.ts';
import { ConsentPage } from '../dashboard/pages/consent.tsx';
import { MessagePage } from '../dashboard/pages/message.tsx';
import { AppError } from './errors.ts';
import { expiryChoices } from './grants/expiry-choice.ts';
import type { Consent, PendingRequest } from './oauth/consent.ts';
import { DEFAULT_EXPIRY, windowChoices } from './oauth/consent-choice.ts';
import type { OwnerDoor } from './owner-door.ts';

const CONSENT_BYTES = 512 * 1024;

/** The page on which the owner decides. Only a form from this very page, repeating what it showed, is a yes. */
export function createConsentRoutes({ consent, door }: { consent: Consent; door: OwnerDoor }): Hono {
  const app = new Hono();
  app.use('/oauth/consent/:uid', door.requireOwner);
  app.get('/oauth/consent/:uid', async (c) => {
    const pending = await consent.find(cookiesOf(c));
    return pending === undefined ? showExpired(c) : showConsent(c, pending);
  });
  app.post('/oauth/consent/:uid', async (c) => {
    const form = await door.readForm(c, CONSENT_BYTES);
    const pending = await consent.find(cookiesOf(c));
    if (pending === undefined) return showExpired(c);
    if (form.get('decision') !== 'approve') return c.redirect(await consent.deny(cookiesOf(c), pending), 303);
    if (form.get('digest') !== pending.offer.digest) {
      return showConsent(c, pending, 'Something changed since you opened this page. Please look again.', 409);
    }
    try {
      return c.redirect(await consent.approve(cookiesOf(c), pending, form), 303);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'invalid_argument') throw error;
      return showConsent(c, pending, `${error.message} ${error.hint ?? ''}`, 400);
    }
  });

  function showConsent(c: Context, pending: PendingRequest, problem?: string, status: 200 | 400 | 409 = 200) {
    setPageHeaders(c, formActionFor(pending.offer.client.redirect_uri));
    return c.html(
      <ConsentPage
        offer={pending.offer}
        changed={pending.changed}
        csrf={door.csrf(c)}
        action={c.req.path}
        windows={windowChoices}
        expiries={expiryChoices}
        defaultExpiry={DEFAULT_EXPIRY}
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
