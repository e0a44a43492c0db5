import { Hono } from 'hono';
import type { WriteAudit } from './audit/audit.ts';
import { createEventWriter, createToolsListedEvent, type WriteEvent } from './audit/events.ts';
import { CALLED_ELSEWHERE } from './guide/command-name.ts';
import { answerError, answerNotFound } from './http/answer-error.tsx';
import { createCallerFinder, createSourceFinder, writeRefusal } from './http/caller.ts';
import { createDiscovery } from './http/discovery.ts';
import { guardHostAndOrigin, isForApps, setAnswerHeaders } from './http/guard.ts';
import { createMcp } from './http/mcp/mcp.ts';
import { createMcpRoutes } from './http/mcp/mcp-routes.ts';
import { createDirectServer } from './http/mcp/serve-direct.ts';
import { authorizationPages } from './http/oauth/oauth-pages.tsx';
import { createOAuthRoutes } from './http/oauth/oauth-routes.tsx';
import { createOwnerPages } from './http/owner/owner-pages.ts';
import { createOwnerSession } from './http/owner/owner-session.ts';
import { createServedImports } from './http/owner/served-imports.ts';
import { createSignInRoutes } from './http/owner/sign-in-routes.tsx';
import { createRest } from './http/rest.ts';
import type { RouteDeps } from './http/route-deps.ts';
import { createFairQueue } from './limits/queue.ts';
import { allows, createThrottle } from './limits/throttle.ts';
import { TooManyRequests } from './limits/too-many-requests.ts';
import { createDocumentFetch } from './oauth/documents/fetch-client-document.ts';
import { ACCESS_TOKEN_SECONDS } from './oauth/lifetimes.ts';
import { type AuthorizationServer, createAuthorizationServer } from './oauth/server.ts';
import {
  type Admission,
  type Caller,
  type CallRule,
  createAdmission,
  DEFAULT_CALL_RULE,
} from './reads/admission.ts';
import { createPerformer } from './reads/perform-read.ts';
import { createReadRunner, toAppError } from './reads/run-read.ts';
import { createDictionary } from './search/dictionary.ts';
import { createId } from './secrets/token.ts';
import { MINUTE_MS } from './time/durations.ts';
import { readSamples } from './views/reading/samples.ts';
import type { ReadPool } from './workers/read-pool.ts';

export interface AppDeps
  extends Pick<RouteDeps, 'store' | 'publicUrl' | 'log' | 'now'>,
    Partial<Pick<RouteDeps, 'imports' | 'damaged' | 'called' | 'zoneIsGiven'>> {
  readonly hosts: ReadonlySet<string>;
  readonly audit: WriteAudit;
  readonly version: string;
  readonly callRule?: CallRule;
  readonly trustedProxies?: readonly string[];
  readonly accessTokenSeconds?: number;
  /** Threads that run the tools. Without a pool, the tools run in the main thread. */
  readonly readPool?: ReadPool;
  /** Fetches the metadata document of a client. Tests replace it to avoid the network. */
  readonly fetchDocument?: (url: string | URL) => Promise<Response>;
}

/** The maximum number of calls of one app that wait in the queue. */
const MAX_WAITING_CALLS = 200;
const DOCUMENT_FETCHES = { max: 30, windowMs: MINUTE_MS };

/** Creates the app with every route. It opens no file and no port. */
export function createApp(appDeps: AppDeps): Hono {
  const deps = createRouteDeps(appDeps);
  const { publicUrl } = deps;
  const app = new Hono();
  app.use('*', setAnswerHeaders(publicUrl));
  app.use('*', guardHostAndOrigin(publicUrl, appDeps.hosts));
  app.route('/', createMcpRoutes(deps));
  app.route('/v1', createRest(deps));
  app.route('/', createDiscovery(deps));
  app.route('/', createSignInRoutes(deps));
  app.route('/', createOAuthRoutes(deps));
  app.route('/', createOwnerPages(deps));
  app.notFound((c) => answerNotFound(c, publicUrl));
  app.onError(async (thrown, c) => {
    // The rate limit for apps writes this event itself, with the name of the app.
    if (thrown instanceof TooManyRequests && !isForApps(c)) await writeRefusal(deps, 'rate_limited', c);
    return answerError(thrown, c, deps);
  });
  return app;
}

function createRouteDeps(deps: AppDeps): RouteDeps {
  const { store, publicUrl, log, now, damaged = new Set(), called = CALLED_ELSEWHERE } = deps;
  const writeEvent = createEventWriter(store, log);
  const findSource = createSourceFinder(publicUrl, deps.trustedProxies ?? [], log);
  const admission = createCallAdmission(deps, writeEvent);
  const dictionary = createDictionary(store.read.stored.words);
  const performHere = createPerformer({
    store: store.read,
    cursorKey: store.cursorKey,
    dictionary,
    origin: publicUrl,
  });
  const runRead = createReadRunner({
    perform: deps.readPool?.createPerform(performHere, dictionary) ?? performHere,
    enter: admission.enter,
    audit: deps.audit,
    log,
    now,
  });
  const onListed = createListedEvent(deps, writeEvent);
  return {
    store,
    publicUrl,
    owner: createOwnerSession(publicUrl, store, now),
    server: createServer(deps, writeEvent),
    mcp: createMcp(runRead, { version: deps.version, origin: publicUrl }, onListed),
    direct: createDirectServer(runRead, deps.version, onListed),
    admission,
    runRead,
    readSamples: (terms, recorded) => readSamples(runRead, terms, recorded, now()),
    getCaller: createCallerFinder({ store, publicUrl, findSource, writeEvent, now }),
    findSource,
    writeEvent,
    imports: deps.imports ?? createServedImports(store, log, now),
    damaged,
    called,
    zoneIsGiven: deps.zoneIsGiven ?? false,
    log,
    now,
  };
}

function createCallAdmission({ callRule, readPool, now }: AppDeps, writeEvent: WriteEvent): Admission {
  return createAdmission({
    rule: callRule ?? DEFAULT_CALL_RULE,
    queue: createFairQueue(MAX_WAITING_CALLS, readPool?.size),
    now: () => now().getTime(),
    onRefused: (caller) => {
      const app = caller.kind === 'client' ? caller.grant : undefined;
      const { grantId, clientId, clientName: client } = app ?? {};
      return writeEvent({ kind: 'rate_limited', grantId, clientId, client }, now());
    },
  });
}

function createListedEvent({ store, log, now }: AppDeps, writeEvent: WriteEvent) {
  const writeListed = createToolsListedEvent(store.audit, writeEvent);
  return async (caller: Caller) => {
    if (caller.kind !== 'client') return;
    try {
      await writeListed(caller.grant, now());
    } catch (error) {
      // The tool list does not depend on this event, so a failure is only logged.
      toAppError(error, createId('req'), log);
    }
  };
}

function createServer(deps: AppDeps, writeEvent: WriteEvent): AuthorizationServer {
  const throttleDocuments = createThrottle({ perAddress: DOCUMENT_FETCHES, inAll: DOCUMENT_FETCHES });
  return createAuthorizationServer({
    store: deps.store,
    publicUrl: deps.publicUrl,
    writeEvent,
    now: deps.now,
    pages: authorizationPages,
    accessTokenSeconds: deps.accessTokenSeconds ?? ACCESS_TOKEN_SECONDS,
    fetchDocument: deps.fetchDocument ?? createDocumentFetch(),
    mayFetchDocument: () => allows(throttleDocuments, { key: 'all', isShared: true }, deps.now()),
  });
}
