import type Provider from 'oidc-provider';
import type { WriteEvent } from '../../audit/events.ts';
import type { Grant } from '../../grants/grant.ts';
import { checkConnections, storeGrant } from '../../grants/grant-store.ts';
import { loadCatalog } from '../../schema-index/catalog.ts';
import type { Store } from '../../store/store.ts';

import type { KnownDocuments } from '../documents/known-documents.ts';
import { toNodePair } from '../forward.ts';
import { errors } from '../library.ts';
import { nowSeconds } from '../lifetimes.ts';
import { OWNER } from '../provider.ts';
import { resourceOf, SCOPE } from '../resource.ts';
import type { ItemIds } from '../storage/item-id.ts';
import { grantedDetails, parseDetails, type RequestedDetail } from './authorization-details.ts';
import { checkChoice, type Pending } from './consent-choice.ts';
import { askForAll, createOffer } from './consent-offer.ts';
import { type KnownSource, readSources, resolveRequested } from './requested-streams.ts';
import { cleanText, describeClient, type RequestingClient } from './requesting-client.ts';

export interface ConsentDeps {
  readonly provider: Provider;
  readonly store: Store;
  readonly ids: ItemIds;
  readonly publicUrl: string;
  readonly documents: KnownDocuments;
  readonly writeEvent: WriteEvent;
  readonly now: () => Date;
}

/** One authorization request that waits for the owner. */
export interface PendingRequest extends Pending {
  /** The client's name or redirects have changed since it was last approved. */
  readonly changed: boolean;
  /** The last form that was sent without approving or denying. */
  readonly sent: URLSearchParams | undefined;
  readonly sources: readonly KnownSource[];
}

export function createConsent(deps: ConsentDeps) {
  const { store, writeEvent, now } = deps;
  return {
    /** Returns the request behind this browser's cookie with everything the page shows, or nothing if it has expired. */
    find: (request: Request) => loadPending(deps, request).catch(orNothing),
    /** Returns the client of a request by its id, for the sign-in page before it. */
    findClient: (uid: string) => loadClient(deps, uid).catch(orNothing),
    /** Issues the selected access. Returns where the browser goes next. */
    async approve(request: Request, pending: PendingRequest, form: URLSearchParams): Promise<string> {
      const chosen = checkChoice(pending, form, now());
      // One transaction: a failure must not leave a grant without its scopes or without the answer to the app.
      return store.write.transact(async () => {
        const { grantId } = await issueGrant(deps, pending, chosen);
        return finish(deps, request, { login: { accountId: OWNER, remember: false }, consent: { grantId } });
      });
    },
    async deny(request: Request, pending: PendingRequest | undefined): Promise<string> {
      const client = pending?.offer.client;
      const answer = { error: 'access_denied', error_description: 'Access denied by the owner.' };
      const next = await finish(deps, request, answer);
      await writeEvent({ kind: 'denied', clientId: client?.client_id, client: client?.name }, now());
      return next;
    },
    /** Stores an unfinished form with its request, so that the page shows the same selection again. */
    async saveForm(request: Request, form: URLSearchParams): Promise<boolean> {
      const interaction = await findInteraction(deps, request).catch(orNothing);
      if (interaction === undefined) return false;
      const saved = new URLSearchParams(form);
      saved.delete('csrf');
      interaction.lastSubmission = { form: saved.toString() };
      await interaction.save(interaction.exp - nowSeconds());
      return true;
    },
  };
}

/** Returns nothing if the client no longer exists. */
async function loadPending(deps: ConsentDeps, request: Request): Promise<PendingRequest | undefined> {
  const { provider, store, publicUrl } = deps;
  const { params, lastSubmission } = await findInteraction(deps, request);
  const client = await findClient(provider, params);
  if (client === undefined) return undefined;
  const catalog = await loadCatalog(store.read);
  const sources = await readSources(store.read);
  const details = parseDetails(asText(params.authorization_details));
  const { requestedStreams, missing } =
    details === undefined ? askForAll(catalog) : resolveRequested(catalog, sources, details);
  const offer = createOffer({
    client,
    resource: resourceOf(publicUrl),
    purpose: cleanText(details?.find((one) => one.purpose_description)?.purpose_description, 500),
    accessMode: isSingleUse(details) ? 'single_use' : 'continuous',
    requested: details !== undefined,
    requestedStreams,
    missing,
    catalog,
    spans: await store.read.stored.spans(),
  });
  const form = asText(lastSubmission?.form);
  const sent = form === undefined ? undefined : new URLSearchParams(form);
  return { offer, changed: await hasChanged(deps, client), sent, requestedStreams, catalog, sources };
}

async function hasChanged({ documents }: ConsentDeps, client: RequestingClient): Promise<boolean> {
  const known = await documents.find(client.client_id);
  return (
    known !== undefined &&
    (known.client_name !== client.name ||
      JSON.stringify(known.redirect_uris) !== JSON.stringify(client.redirect_uris))
  );
}

async function loadClient({ provider }: ConsentDeps, uid: string): Promise<RequestingClient | undefined> {
  const interaction = await provider.Interaction.find(uid);
  return interaction && findClient(provider, interaction.params);
}

async function findClient(
  provider: Provider,
  { client_id, redirect_uri }: Record<string, unknown>,
): Promise<RequestingClient | undefined> {
  const found = await provider.Client.find(String(client_id));
  return found && describeClient(found.metadata(), asText(redirect_uri));
}

/** Stores a grant, the library's record of it and the client's document. */
async function issueGrant(
  deps: ConsentDeps,
  { offer, catalog, sources }: PendingRequest,
  chosen: ReturnType<typeof checkChoice>,
): Promise<Grant> {
  const { provider, store, documents, writeEvent, now } = deps;
  const { client } = offer;
  const clientId = client.client_id;
  await checkConnections(store.write, chosen.streams);
  const issued = await storeGrant(
    store.write,
    {
      clientName: client.name,
      purpose: offer.purpose,
      accessMode: offer.access_mode,
      ...chosen,
      clientId,
      verifiedHost: client.verified_host,
      redirectHost: client.redirect_host,
    },
    now(),
  );
  const grant = new provider.Grant({ accountId: OWNER, clientId });
  // The same id: ending our grant ends the library's.
  grant.jti = issued.grantId;
  grant.addResourceScope(resourceOf(deps.publicUrl), SCOPE);
  grant.addOIDCScope('offline_access');
  if (offer.requested) for (const detail of grantedDetails(issued, sources, catalog)) grant.addRar(detail);
  await grant.save();
  // A registration with an approved access no longer expires.
  await store.write.oauth.removeItemExpiry('Client', deps.ids.toHash(clientId));
  await documents.remember({
    client_id: clientId,
    client_name: client.name,
    redirect_uris: client.redirect_uris,
  });
  await writeEvent({ kind: 'approved', clientId, client: client.name, grantId: issued.grantId }, now());
  return issued;
}

function findInteraction({ provider, publicUrl }: ConsentDeps, request: Request) {
  const { req, res } = toNodePair(request, publicUrl);
  return provider.interactionDetails(req, res);
}

function finish(
  { provider, publicUrl }: ConsentDeps,
  request: Request,
  result: Record<string, unknown>,
): Promise<string> {
  const { req, res } = toNodePair(request, publicUrl);
  return provider.interactionResult(req, res, result, { mergeWithLastSubmission: false });
}

/** Maps the library's expected refusals to undefined. Rethrows other errors. */
function orNothing(error: unknown): undefined {
  if (!(error instanceof errors.OIDCProviderError) || !error.expose) throw error;
}

function isSingleUse(details: readonly RequestedDetail[] | undefined): boolean {
  return details?.some((detail) => detail.access_mode === 'single_use') ?? false;
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
