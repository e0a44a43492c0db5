import type { Hono } from 'hono';
import { createUploadRunner } from '../import/service/run-upload.ts';
import { allows, createThrottle } from '../limits/throttle.ts';
import { createDocumentFetch } from '../oauth/documents/fetch-client-document.ts';
import { ACCESS_TOKEN_SECONDS } from '../oauth/lifetimes.ts';
import { type AuthorizationServer, createAuthorizationServer } from '../oauth/server.ts';
import { loadImporters } from '../sources/load-importers.ts';
import { MINUTE_MS } from '../time/durations.ts';
import { readSamples } from '../views/reading/samples.ts';
import { authorizationPages } from './oauth/oauth-pages.tsx';
import { createOAuthRoutes } from './oauth/oauth-routes.tsx';
import { createOwnerPages } from './owner/owner-pages.ts';
import { createOwnerSession } from './owner/owner-session.ts';
import { createServedImports } from './owner/served-imports.ts';
import { createSignInRoutes } from './owner/sign-in-routes.tsx';
import { createRest } from './rest.ts';
import type { BaseRouteDeps, RouteDeps } from './route-deps.ts';

export interface LateRouteOptions
  extends Partial<Pick<RouteDeps, 'imports' | 'accounts' | 'zoneIsGiven' | 'updates'>> {
  readonly accessTokenSeconds?: number;
  /** Fetches the metadata document of a client. Tests replace it to avoid the network. */
  readonly fetchDocument?: (url: string | URL) => Promise<Response>;
}

const DOCUMENT_FETCHES = { max: 30, windowMs: MINUTE_MS };

/** Adds the routes that a connected app does not use: REST, sign-in, the authorization server and the owner's pages. */
export function addLateRoutes(app: Hono, appDeps: BaseRouteDeps, options: LateRouteOptions): Hono {
  const { store, publicUrl, runRead, log, now } = appDeps;
  const deps: RouteDeps = {
    ...appDeps,
    owner: createOwnerSession(publicUrl, store, now),
    server: createServer(appDeps, options),
    readSamples: (terms, recorded) => readSamples(runRead, terms, recorded, now()),
    imports:
      options.imports ?? createServedImports(store, createUploadRunner({ store, loadImporters, now }), log),
    accounts: options.accounts,
    updates: options.updates,
    zoneIsGiven: options.zoneIsGiven ?? false,
  };
  app.route('/v1', createRest(deps));
  app.route('/', createSignInRoutes(deps));
  app.route('/', createOAuthRoutes(deps));
  app.route('/', createOwnerPages(deps));
  return app;
}

function createServer(
  { store, publicUrl, writeEvent, now }: BaseRouteDeps,
  { accessTokenSeconds, fetchDocument }: LateRouteOptions,
): AuthorizationServer {
  const throttleDocuments = createThrottle(
    'documents',
    { perAddress: DOCUMENT_FETCHES, total: DOCUMENT_FETCHES },
    store.shared?.attempts,
  );
  return createAuthorizationServer({
    store,
    publicUrl,
    writeEvent,
    now,
    pages: authorizationPages,
    accessTokenSeconds: accessTokenSeconds ?? ACCESS_TOKEN_SECONDS,
    fetchDocument: fetchDocument ?? createDocumentFetch(),
    mayFetchDocument: () => allows(throttleDocuments, { key: 'all', isShared: true }, now()),
  });
}
