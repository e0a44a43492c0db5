import type { Provider as ProviderClass } from 'oidc-provider';
import type { WriteEvent } from '../audit/events.ts';
import type { Store } from '../store/store.ts';
import { createAccessChanges } from './consent/change-access.ts';
import { createConsent } from './consent/consent.ts';
import { cleanName } from './consent/requesting-client.ts';
import { clientGrantTypes, findApplicationType } from './documents/check-document.ts';
import { createKnownDocuments } from './documents/known-documents.ts';
import { findPinnedDocument } from './documents/pinned-documents.ts';
import { collectFailures } from './forward.ts';
import { Provider } from './library.ts';
import { createProvider, type ProviderDeps } from './provider.ts';
import { createItemIds } from './storage/item-id.ts';

export interface ServerDeps extends Pick<ProviderDeps, 'publicUrl' | 'accessTokenSeconds' | 'pages'> {
  readonly store: Store;
  readonly writeEvent: WriteEvent;
  readonly now: () => Date;
  /** Fetches a client's metadata document by its URL. */
  readonly fetchDocument: (url: string | URL) => Promise<Response>;
  readonly mayFetchDocument: () => Promise<boolean>;
}

/** Routes that only apps with access use. */
const CONNECTED_ROUTES: ReadonlySet<string> = new Set(['token', 'revocation']);

export type AuthorizationServer = ReturnType<typeof createAuthorizationServer>;

/** Creates the authorization server with our storage, client documents and events. */
export function createAuthorizationServer(deps: ServerDeps) {
  const { store, writeEvent, now } = deps;
  const ids = createItemIds(store.secret);
  const documents = createKnownDocuments(store.write.oauth);

  /** Ends a grant after one of its credentials was used twice, or by request of the app. */
  const endGrant = async (grantId: string) => {
    const { route, params } = Provider.ctx?.oidc ?? {};
    const ended = await store.write.grants.end(grantId, now().toISOString());
    if (ended === undefined) return;
    const replayed = params?.grant_type === 'refresh_token' ? 'refresh_replayed' : 'code_replayed';
    await writeEvent(
      {
        kind: route === 'token' ? replayed : 'revoked',
        grantId,
        clientId: ended.clientId,
        client: ended.clientName,
        ...(route === 'token' ? {} : { detail: 'by the app' }),
      },
      now(),
    );
  };

  const provider = createProvider({
    ...deps,
    ids,
    endGrant,
    async fetchDocument(url) {
      const clientId = String(url);
      const known = await documents.find(clientId);
      try {
        // All unknown clients share one rate limit. It does not apply to known apps, which must stay connected.
        const isFree = known !== undefined || findPinnedDocument(clientId) !== undefined;
        if (!isFree && !(await deps.mayFetchDocument())) throw new Error('Too many fetches in a short time.');
        await writeEvent({ kind: 'document_fetched', detail: new URL(clientId).host }, now());
        return await deps.fetchDocument(clientId);
      } catch (error) {
        // An approved app stays connected while the host of its document is down, but cannot request more.
        if (known === undefined || !CONNECTED_ROUTES.has(Provider.ctx?.oidc.route ?? '')) throw error;
        return Response.json({
          ...known,
          grant_types: clientGrantTypes,
          token_endpoint_auth_method: 'none',
          application_type: findApplicationType(known.redirect_uris),
        });
      }
    },
  });

  noteEvents(provider, writeEvent, now);
  collectFailures(provider);
  const consent = createConsent({ ...deps, provider, ids, documents });
  return { provider, consent, accessChanges: createAccessChanges({ ...deps, provider }) };
}

/** Writes the library's events to the event log, without waiting. Failures are logged. */
function noteEvents(provider: ProviderClass, writeEvent: WriteEvent, now: () => Date): void {
  const note = (
    kind: Parameters<WriteEvent>[0]['kind'],
    client: ProviderClass['Client']['prototype'] | undefined,
    grantId?: string,
  ) => {
    const name = cleanName(client?.clientName);
    void writeEvent({ kind, grantId, clientId: client?.clientId, client: name }, now());
  };
  provider.on('interaction.started', ({ oidc }) => note('asked', oidc.client));
  provider.on('registration_create.success', (_ctx, client) => note('registered', client));
  provider.on('grant.success', ({ oidc: { params, client, entities } }) => {
    const isRefresh = params?.grant_type === 'refresh_token';
    note(isRefresh ? 'token_refreshed' : 'token_issued', client, entities.Grant?.jti);
  });
}
