import { type Context, Hono } from 'hono';
import type { WriteAudit } from './audit/audit.ts';
import type { EventKind } from './audit/event-kinds.ts';
import { createEventWriter } from './audit/event-writer.ts';
import { createListedNote } from './audit/listed.ts';
import { createAccessFinder } from './grants/access.ts';
import { CALLED_ELSEWHERE, type CalledAs, createCommandFormat } from './guide/command-name.ts';
import { createPublicFormat } from './guide/connect-guide.ts';
import { answerError, answerNotFound } from './http/answer-error.tsx';
import { setAnswerHeaders } from './http/answer-headers.ts';
import { createAttempterFinder, describeAttempter } from './http/client-address.ts';
import { createDiscovery } from './http/discovery.ts';
import { checkOrigin, findCaller, isForApps, Unauthorized } from './http/host-guard.ts';
import { createMcp } from './http/mcp/mcp.ts';
import { createMcpRoutes } from './http/mcp/mcp-routes.ts';
import type { ReadSamples } from './http/oauth/choice-reader.ts';
import { authorizationPages } from './http/oauth/oauth-pages.tsx';
import { createOAuthRoutes } from './http/oauth/oauth-routes.tsx';
import { createOwnerPages } from './http/owner/owner-pages.ts';
import { createOwnerDoor } from './http/owner/owner-session.ts';
import { createServedDesk, type ServedDesk } from './http/owner/served-desk.ts';
import { createOwnerRoutes } from './http/owner/sign-in-routes.tsx';
import { createRest } from './http/rest.ts';
import { createTurns } from './limits/fair-queue.ts';
import { allows, createThrottle } from './limits/throttle.ts';
import { TooManyRequests } from './limits/too-many-requests.ts';
import type { Log } from './log.ts';
import { createDocumentFetch } from './oauth/documents/fetch-client-document.ts';
import { ACCESS_TOKEN_SECONDS } from './oauth/lifetimes.ts';
import { resourceOf } from './oauth/resource.ts';
import { createAuthorizationServer } from './oauth/server.ts';
import { createSessions } from './owner/sessions.ts';
import { readWords } from './reader/search/read-words.ts';
import { createCallDoor } from './reads/admission.ts';
import { type CallRule, createCallLimits, DEFAULT_CALL_RULE } from './reads/call-limits.ts';
import { createToolRunner, toAppError } from './reads/run-read.ts';
import { createDictionary } from './search/dictionary.ts';
import { createId } from './secrets/token.ts';
import type { Store } from './store/sqlite/open-store.ts';
import { readSamples } from './views/reading/samples.ts';

export interface AppDeps {
  readonly store: Store;
  /** Where uploads wait, for whoever has to close it before the store. */
  readonly desk?: ServedDesk;
  readonly publicUrl: string;
  readonly hosts: ReadonlySet<string>;
  readonly audit: WriteAudit;
  readonly log: Log;
  readonly now: () => Date;
  readonly version: string;
  /** How this program is called on this computer, for pages that name a command. */
  readonly called?: CalledAs;
  readonly callRule?: CallRule;
  readonly trustedProxies?: readonly string[];
  /** Files in which a check that runs beside has found damage. */
  readonly damaged?: ReadonlySet<string>;
  readonly accessTokenSeconds?: number;
  /** The time zone was set by whoever started the server: the set-up page does not ask the browser for it. */
  readonly zoneIsGiven?: boolean;
  /** How the metadata document of a client is had, where the network is not to be used. */
  readonly fetchDocument?: (url: string | URL) => Promise<Response>;
}

/** Calls of one app that wait for their turn. */
const MOST_WAITING = 200;
const FETCHES = { most: 30, windowMs: 60_000 };

/** Every route. Opens nothing and listens on nothing. */
export function createApp(deps: AppDeps): Hono {
  const { store, publicUrl, log, now, damaged = new Set(), called = CALLED_ELSEWHERE } = deps;
  const app = new Hono();
  const desk = deps.desk ?? createServedDesk(store, log, now);
  const writeEvent = createEventWriter(store, log);
  const noteListed = createListedNote(store.audit, writeEvent);
  const findAccess = createAccessFinder(store.read, resourceOf(publicUrl));
  const findAttempter = createAttempterFinder({
    publicUrl,
    trustedProxies: deps.trustedProxies ?? [],
    log,
  });
  const noteFrom = (kind: EventKind, c: Context) =>
    writeEvent({ kind, detail: describeAttempter(findAttempter(c)) }, now());
  const getCaller = (c: Context) =>
    findCaller(c, findAccess, now()).catch(async (error: unknown) => {
      // Whoever brings no token at all is at the beginning of signing in.
      if (error instanceof Unauthorized && !error.withoutToken) await noteFrom('refused_bearer', c);
      throw error;
    });
  const dictionary = createDictionary((after, limit) => readWords(store.read.db, after, limit));
  const callDoor = createCallDoor(
    createCallLimits(deps.callRule ?? DEFAULT_CALL_RULE, () => now().getTime()),
    createTurns({ atOnce: 1, mostWaiting: MOST_WAITING }),
    (caller) => {
      const app = caller.kind === 'client' ? caller.grant : undefined;
      const { grantId, clientId, clientName: client } = app ?? {};
      return writeEvent({ kind: 'rate_limited', grantId, clientId, client }, now());
    },
  );
  const runTool = createToolRunner({
    store: store.read,
    cursorKey: store.placeKey,
    dictionary,
    enter: callDoor.enter,
    audit: deps.audit,
    log,
    origin: publicUrl,
    now,
  });
  const mcp = createMcp(runTool, { version: deps.version, origin: publicUrl }, async (caller) => {
    if (caller.kind !== 'client') return;
    try {
      await noteListed(caller.grant, now());
    } catch (error) {
      // The list is the same for everyone: an app stays connected, whatever became of the note.
      toAppError(error, createId('req'), log);
    }
  });
  const sessions = createSessions(store);
  const door = createOwnerDoor(publicUrl, sessions, now, store.write.afterCommit);
  const throttleDocuments = createThrottle({ perAddress: FETCHES, inAll: FETCHES });
  const server = createAuthorizationServer({
    store,
    publicUrl,
    writeEvent,
    now,
    pages: authorizationPages,
    accessTokenSeconds: deps.accessTokenSeconds ?? ACCESS_TOKEN_SECONDS,
    fetchDocument: deps.fetchDocument ?? createDocumentFetch(),
    mayFetchDocument: () => allows(throttleDocuments, { key: 'all', isShared: true }, now()),
  });

  const readOwnSamples: ReadSamples = (terms, told) => readSamples(runTool, terms, told, now());

  app.use('*', setAnswerHeaders(publicUrl));
  app.use(
    '*',
    checkOrigin(deps.hosts, new Set([publicUrl, ...[...deps.hosts].map((host) => `http://${host}`)])),
  );

  app.route('/', createMcpRoutes({ mcp, callDoor, getCaller, publicUrl }));
  app.route('/v1', createRest({ runTool, write: store.write, getCaller, checkCaller: callDoor.check }));
  app.route('/', createDiscovery(publicUrl, store.read, damaged, called));
  app.route(
    '/',
    createOwnerRoutes({
      store: store.write,
      sessions,
      door,
      zoneIsGiven: deps.zoneIsGiven ?? false,
      findAsker: server.consent.findAsker,
      findAttempter,
      writeEvent,
      formatCommand: createPublicFormat(publicUrl, called),
      now,
    }),
  );
  app.route(
    '/',
    createOAuthRoutes({
      ...server,
      publicUrl,
      store: store.write,
      door,
      readSamples: readOwnSamples,
      getCaller,
      findAttempter,
      writeEvent,
      now,
    }),
  );
  app.route(
    '/',
    createOwnerPages({
      store,
      desk,
      publicUrl,
      sessions,
      door,
      runTool,
      accessChanges: server.accessChanges,
      readSamples: readOwnSamples,
      writeEvent,
      damaged,
      called,
      now,
    }),
  );

  app.notFound((c) => answerNotFound(c, publicUrl));
  app.onError(async (thrown, c) => {
    // Of an app it was said at the door, with the name of the app.
    if (thrown instanceof TooManyRequests && !isForApps(c)) await noteFrom('rate_limited', c);
    return answerError(thrown, c, { publicUrl, log, formatCommand: createCommandFormat(called) });
  });
  return app;
}
