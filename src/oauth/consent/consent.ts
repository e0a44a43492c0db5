import type Provider from 'oidc-provider';
import type { WriteEvent } from '../../audit/events.ts';
import { checkConnections, storeGrant } from '../../grants/grant-store.ts';
import { type Catalog, loadCatalog } from '../../schema-index/catalog.ts';
import type { Store } from '../../store/sqlite/open-store.ts';
import { readSpans } from '../../store/sqlite/stored-counts.ts';
import type { KnownDocuments } from '../documents/known-documents.ts';
import { toNodePair } from '../forward.ts';
import { errors } from '../library.ts';
import { nowSeconds } from '../lifetimes.ts';
import { OWNER } from '../provider.ts';
import { resourceOf, SCOPE } from '../resource.ts';
import type { ItemIds } from '../storage/item-id.ts';
import type { OAuthStore } from '../storage/oauth-store.ts';
import { type AskingClient, cleanText, describeClient } from './asking-client.ts';
import { parseDetails, type RequestedDetail } from './authorization-details.ts';
import { type Choice, readChoice } from './consent-choice.ts';
import { type ConsentForm, fillForm } from './consent-form.ts';
import { askForAll, createOffer, type Offer } from './consent-offer.ts';
import { FormRefused } from './field-problem.ts';
import { grantedDetails } from './granted-details.ts';
import { readSources } from './read-sources.ts';
import { type AskedStream, type KnownSource, resolveRequested } from './requested-streams.ts';

export interface ConsentDeps {
  readonly provider: Provider;
  readonly store: Store;
  readonly items: OAuthStore;
  readonly ids: ItemIds;
  readonly publicUrl: string;
  readonly documents: KnownDocuments;
  readonly writeEvent: WriteEvent;
  readonly now: () => Date;
}

/** One authorization request that waits for the owner. */
export interface PendingRequest {
  readonly offer: Offer;
  /** The client's name or redirects are not what they were when it was last approved. */
  readonly changed: boolean;
  /** The form that was last sent for it and did not end it. */
  readonly sent: URLSearchParams | undefined;
  readonly asked: readonly AskedStream[];
  readonly catalog: Catalog;
  readonly sources: readonly KnownSource[];
}

export interface Consent {
  /** The request behind this browser's cookie, with everything the page shows; nothing when it has run out. */
  find(request: Request): Promise<PendingRequest | undefined>;
  /** Who waits for an answer under this id, for whoever is about to sign in because of it. */
  findAsker(uid: string): Promise<AskingClient | undefined>;
  /** What a form would give if it were approved now. */
  read(pending: PendingRequest, form: ConsentForm): Choice;
  /** Issues what was ticked. Returns where the browser goes next. */
  approve(request: Request, pending: PendingRequest, form: URLSearchParams): Promise<string>;
  deny(request: Request, pending: PendingRequest | undefined): Promise<string>;
  /** Keeps a form with the request it was sent for, while that waits, so that the page comes back as it was. */
  keep(request: Request, form: URLSearchParams): Promise<boolean>;
}

export function createConsent(deps: ConsentDeps): Consent {
  const { provider, store, publicUrl, documents, writeEvent, now } = deps;

  /** Nothing when it has run out, or nobody can say any more who asks. */
  const find = (request: Request) => load(request).catch(orNothing);

  const load = async (request: Request): Promise<PendingRequest | undefined> => {
    const { req, res } = toNodePair(request, publicUrl);
    const { params, lastSubmission } = await provider.interactionDetails(req, res);
    const found = await provider.Client.find(String(params.client_id));
    if (found === undefined) return undefined;
    const client = describeClient(found.metadata(), asText(params.redirect_uri));
    const known = await documents.find(client.client_id);
    const catalog = await loadCatalog(store.read);
    const sources = await readSources(store.read);
    const details = parseDetails(asText(params.authorization_details));
    const { asked, missing } =
      details === undefined ? askForAll(catalog) : resolveRequested(catalog, sources, details);
    const offer = createOffer({
      client,
      resource: resourceOf(publicUrl),
      purpose: cleanText(details?.find((one) => one.purpose_description)?.purpose_description, 500),
      accessMode: isSingleUse(details) ? 'single_use' : 'continuous',
      requested: details !== undefined,
      asked,
      missing,
      catalog,
      spans: await readSpans(store.read),
    });
    const changed =
      known !== undefined &&
      (known.client_name !== client.name ||
        JSON.stringify(known.redirect_uris) !== JSON.stringify(client.redirect_uris));
    const form = asText(lastSubmission?.form);
    const sent = form === undefined ? undefined : new URLSearchParams(form);
    return { offer, changed, sent, asked, catalog, sources };
  };

  const read = ({ offer, asked, catalog }: PendingRequest, form: ConsentForm) =>
    readChoice(form, offer, asked, catalog, now());

  const loadAsker = async (uid: string) => {
    const interaction = await provider.Interaction.find(uid);
    if (interaction === undefined) return undefined;
    const { client_id, redirect_uri } = interaction.params;
    const found = await provider.Client.find(String(client_id));
    return found && describeClient(found.metadata(), asText(redirect_uri));
  };

  return {
    find,
    findAsker: (uid) => loadAsker(uid).catch(orNothing),
    read,
    async approve(request, pending, form) {
      const { offer, catalog, sources } = pending;
      const { client } = offer;
      const { chosen, end, problems } = read(pending, fillForm(offer, form));
      if (problems.length > 0) throw new FormRefused(problems);
      // One act: a grant without its scopes, or scopes without the answer to the app, would be access half given.
      return store.write.transact(async () => {
        await checkConnections(store.write, [...chosen.values()]);
        const issued = await storeGrant(
          store.write,
          {
            clientName: client.name,
            purpose: offer.purpose,
            accessMode: offer.access_mode,
            streams: [...chosen.values()],
            expiresAt: end?.expiresAt,
            clientId: client.client_id,
            verifiedHost: client.verified_host,
            redirectHost: client.redirect_host,
          },
          now(),
        );
        const grant = new provider.Grant({ accountId: OWNER, clientId: client.client_id });
        // One grant, one id: ending it here ends it there.
        grant.jti = issued.grantId;
        grant.addResourceScope(resourceOf(publicUrl), SCOPE);
        grant.addOIDCScope('offline_access');
        if (offer.requested)
          for (const detail of grantedDetails(issued, sources, catalog)) grant.addRar(detail);
        await grant.save();
        // A registration that led to an access no longer runs out.
        await deps.items.removeItemExpiry('Client', deps.ids.toHash(client.client_id));
        await documents.remember({
          client_id: client.client_id,
          client_name: client.name,
          redirect_uris: client.redirect_uris,
        });
        await writeEvent(
          {
            kind: 'approved',
            clientId: client.client_id,
            client: client.name,
            grantId: issued.grantId,
          },
          now(),
        );
        return finish(request, {
          login: { accountId: OWNER, remember: false },
          consent: { grantId: issued.grantId },
        });
      });
    },
    async deny(request, pending) {
      const client = pending?.offer.client;
      const answer = { error: 'access_denied', error_description: 'The owner said no.' };
      const next = await finish(request, answer);
      await writeEvent({ kind: 'denied', clientId: client?.client_id, client: client?.name }, now());
      return next;
    },
    async keep(request, form) {
      const { req, res } = toNodePair(request, publicUrl);
      const interaction = await provider.interactionDetails(req, res).catch(orNothing);
      if (interaction === undefined) return false;
      const kept = new URLSearchParams(form);
      kept.delete('csrf');
      interaction.lastSubmission = { form: kept.toString() };
      await interaction.save(interaction.exp - nowSeconds());
      return true;
    },
  };

  function finish(request: Request, result: Record<string, unknown>): Promise<string> {
    const { req, res } = toNodePair(request, publicUrl);
    return provider.interactionResult(req, res, result, { mergeWithLastSubmission: false });
  }
}

function orNothing(error: unknown): undefined {
  if (!(error instanceof errors.OIDCProviderError) || !error.expose) throw error;
}

function isSingleUse(details: readonly RequestedDetail[] | undefined): boolean {
  return details?.some((detail) => detail.access_mode === 'single_use') ?? false;
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
