import { type Context, Hono } from 'hono';
import { AccessPage } from '../../../dashboard/pages/access.tsx';
import type { Frame } from '../../../dashboard/parts/layout.tsx';
import { appHref, withQuery } from '../../../dashboard/parts/links.ts';
import { AppError } from '../../errors.ts';
import type { PendingChange } from '../../oauth/consent/change-access.ts';
import { FormRefused } from '../../oauth/consent/consent-choice.ts';
import { addConnection, type ConsentForm, fillForm } from '../../oauth/consent/consent-form.ts';
import { describeChange } from '../../oauth/consent/describe-change.ts';
import { createChoiceReader } from '../oauth/choice-reader.ts';
import { CONSENT_BYTES } from '../oauth/consent-routes.tsx';
import type { RouteDeps } from '../route-deps.ts';

const PATH = '/dashboard/apps/:id/access';
const CHANGED =
  'Something changed since you opened this page, and nothing was saved. Your selection is kept where possible. Please check again.';

interface View {
  readonly sent?: URLSearchParams;
  readonly notice?: string;
  readonly added?: string;
  readonly status?: 200 | 400 | 409;
}

/**
 * Serves the page that changes what a connected app may read. Like the consent page, it saves only a form that repeats
 * the digest of what it showed. The caller has checked that the owner is signed in.
 */
export function createAccessRoutes(deps: RouteDeps, frame: (c: Context) => Promise<Frame>): Hono {
  const app = new Hono();
  const changes = deps.server.accessChanges;
  const show = createAccessView(deps, frame);

  app.get(PATH, async (c) => {
    const pending = await changes.find(c.req.param('id'));
    const form = fillForm(pending.offer, undefined);
    const added = pending.offer.connections.find((one) => one.connection_id === c.req.query('add'));
    return added === undefined
      ? show(c, pending, form)
      : show(c, pending, addConnection(form, added), { added: added.name });
  });
  app.get(`${PATH}.json`, async (c) => {
    const { client, held, connections } = (await changes.find(c.req.param('id'))).offer;
    return c.json({ client: client.name, held, connections });
  });
  app.post(PATH, async (c) => {
    const sent = await deps.owner.readForm(c, CONSENT_BYTES);
    const pending = await changes.find(c.req.param('id'));
    const form = fillForm(pending.offer, sent);
    if (sent.get('decision') !== 'approve') return show(c, pending, form, { sent });
    if (sent.get('digest') !== pending.offer.digest)
      return show(c, pending, form, { sent, notice: CHANGED, status: 409 });
    try {
      await changes.save(pending, sent);
    } catch (error) {
      if (error instanceof FormRefused) return show(c, pending, form, { sent, status: 400 });
      if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
      const fresh = await changes.find(c.req.param('id'));
      return show(c, fresh, fillForm(fresh.offer, sent), { sent, notice: CHANGED, status: 409 });
    }
    return c.redirect(withQuery(appHref(pending.grant.grantId), { done: 'access' }), 303);
  });
  return app;
}

function createAccessView({ owner, readSamples, now }: RouteDeps, frame: (c: Context) => Promise<Frame>) {
  const readShown = createChoiceReader(readSamples, now);
  return async (c: Context, pending: PendingChange, form: ConsentForm, view: View = {}) => {
    const { sent, notice, added, status = 200 } = view;
    const { catalog, grant } = pending;
    const { shown, choice } = await readShown(c.req.path, pending, form, sent);
    return c.html(
      <AccessPage
        {...shown}
        frame={await frame(c)}
        grantId={grant.grantId}
        change={describeChange(grant.streams, [...choice.chosen.values()], catalog, 'brief')}
        csrf={owner.csrf(c)}
        notice={notice}
        added={added}
      />,
      status,
    );
  };
}
