import type Provider from 'oidc-provider';
import { writeAccessChange } from '../../audit/access-change.ts';
import type { WriteEvent } from '../../audit/events.ts';
import { AppError } from '../../errors.ts';
import { changeTerms } from '../../grants/change-terms.ts';
import { type Grant, isLive } from '../../grants/grant.ts';
import { getGrant } from '../../grants/grant-store.ts';
import { type Catalog, loadCatalog } from '../../schema-index/catalog.ts';
import type { Store } from '../../store/sqlite/open-store.ts';
import { readSpans } from '../../store/sqlite/stored-counts.ts';
import { resourceOf } from '../resource.ts';
import type { AskingClient } from './asking-client.ts';
import { type Choice, readChoice } from './consent-choice.ts';
import { type ConsentForm, fillForm } from './consent-form.ts';
import { createOffer, type Offer } from './consent-offer.ts';
import { describeChange } from './describe-change.ts';
import { FormRefused } from './field-problem.ts';
import { grantedDetails } from './granted-details.ts';
import { describeHeld } from './held-access.ts';
import { readSources } from './read-sources.ts';
import type { AskedStream } from './requested-streams.ts';

/** An access that the owner is about to change. */
export interface PendingChange {
  readonly grant: Grant;
  readonly offer: Offer;
  readonly asked: readonly AskedStream[];
  readonly catalog: Catalog;
}

export interface AccessChanges {
  /** A live access with all that can be ticked for it. */
  find(grantId: string): Promise<PendingChange>;
  /** What a form would give if it were saved now. */
  read(pending: PendingChange, form: ConsentForm): Choice;
  /** What saving it would add and take away, in words. */
  describe(pending: PendingChange, choice: Choice): string;
  /** Replaces what the app may read. Its tokens read by the new terms from their next request on. */
  save(pending: PendingChange, form: URLSearchParams): Promise<void>;
}

export interface AccessChangeDeps {
  readonly provider: Provider;
  readonly store: Store;
  readonly publicUrl: string;
  readonly writeEvent: WriteEvent;
  readonly now: () => Date;
}

export function createAccessChanges(deps: AccessChangeDeps): AccessChanges {
  const { provider, store, publicUrl, writeEvent, now } = deps;

  const read = ({ offer, asked, catalog }: PendingChange, form: ConsentForm) =>
    readChoice(form, offer, asked, catalog, now());

  /** What the authorization server tells apps about their rights, where they asked for rights by name. */
  const updateDetails = async (grant: Grant, streams: Grant['streams'], catalog: Catalog) => {
    const known = await provider.Grant.find(grant.grantId);
    if (known?.rar === undefined) return;
    known.rar = [];
    const sources = await readSources(store.read);
    for (const detail of grantedDetails({ ...grant, streams }, sources, catalog)) known.addRar(detail);
    await known.save();
  };

  return {
    async find(grantId) {
      const grant = await getGrant(store.read, grantId, noApp);
      if (!isLive(grant, now()))
        throw new AppError('grant_revoked', 'This access has ended. Connect the app again.');
      const catalog = await loadCatalog(store.read);
      const asked = catalog.streams.map((stream): AskedStream => {
        const held = grant.streams.find(
          (terms) => terms.connection_id === stream.connection.connection_id && terms.stream === stream.name,
        );
        return {
          stream,
          ...(held === undefined ? {} : { held }),
          ...(held?.keys === undefined ? {} : { keys: held.keys }),
        };
      });
      const offer = createOffer({
        client: describeHolder(grant),
        resource: resourceOf(publicUrl),
        purpose: grant.purpose,
        accessMode: grant.accessMode,
        requested: false,
        held: describeHeld(grant, catalog),
        asked,
        missing: [],
        catalog,
        spans: await readSpans(store.read),
      });
      return { grant, offer, asked, catalog };
    },
    read,
    describe: ({ grant, catalog }, { chosen }) =>
      describeChange(grant.streams, [...chosen.values()], catalog, 'brief'),
    async save(pending, form) {
      const { grant, offer, catalog } = pending;
      const { chosen, end, problems } = read(pending, fillForm(offer, form));
      if (problems.length > 0) throw new FormRefused(problems);
      const streams = [...chosen.values()];
      const about = { clientId: grant.clientId, client: grant.clientName, grantId: grant.grantId };
      const expiresAt = end?.expiresAt;
      const at = now();
      await changeTerms(store.write, grant, { streams, expiresAt }, at, async () => {
        await updateDetails(grant, streams, catalog);
        // Before the change is committed: after a crash the log may know of less access than the store, never of more.
        const summary = describeChange(grant.streams, streams, catalog, 'full');
        await writeEvent(
          { kind: 'access_changed', ...about, detail: writeAccessChange({ summary, terms: streams }) },
          at,
        );
        if (expiresAt?.toISOString() === grant.expiresAt) return;
        const detail = expiresAt === undefined ? 'until revoked' : `until ${expiresAt.toISOString()}`;
        await writeEvent({ kind: 'expiry_changed', ...about, detail }, at);
      });
    },
  };
}

/** Who has the access, as it was when it was approved. */
function describeHolder(grant: Grant): AskingClient {
  return {
    client_id: grant.clientId ?? '',
    name: grant.clientName,
    ...(grant.verifiedHost === undefined ? {} : { verified_host: grant.verifiedHost }),
    redirect_kind: 'web',
    redirect_host: grant.redirectHost ?? '',
    redirect_uris: [],
  };
}

function noApp(): AppError {
  return new AppError('not_found', 'There is no such app.', {
    hint: 'All apps are on the page Apps; what has ended is there for 90 days.',
  });
}
