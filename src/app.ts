import { Hono } from 'hono';
import type { WriteAudit } from './audit/audit.ts';
import { createEventWriter, createToolsListedEvent, type WriteEvent } from './audit/events.ts';
import { PLAIN_COMMAND } from './guide/command-name.ts';
import { answerError, answerNotFound } from './http/answer-error.ts';
import { createDiscovery } from './http/discovery.ts';
import {
  createCallerFinder,
  createOriginCheck,
  guardHostAndOrigin,
  isForApps,
  setAnswerHeaders,
} from './http/guard.ts';
import type { LateRouteOptions } from './http/late-routes.ts';
import type { ServeEarly } from './http/listen.ts';
import { createDirectServer } from './http/mcp/direct-call.ts';
import { createMcpRoutes } from './http/mcp/mcp-routes.ts';
import { createMetricsRoutes } from './http/metrics.ts';
import type { BaseRouteDeps } from './http/route-deps.ts';
import { createSourceFinder, writeRefusal } from './http/source-address.ts';
import { createFairQueue, type FairQueue } from './limits/queue.ts';
import { TooManyRequests } from './limits/too-many-requests.ts';
import { CallMetrics } from './metrics/call-metrics.ts';
import { gauge, type Sample } from './metrics/format-metrics.ts';
import {
  type Admission,
  type Caller,
  type CallRule,
  createAdmission,
  DEFAULT_CALL_RULE,
} from './reads/admission.ts';
import { withDeadline } from './reads/deadline.ts';
import { createPerformer, type PerformRead } from './reads/granted-read.ts';
import { createReadRunner, toAppError } from './reads/run-read.ts';
import { createDictionary } from './search/dictionary.ts';
import { createId } from './secrets/token.ts';
import { tools } from './tools/index.ts';
import type { ReadPool } from './workers/read-pool.ts';

export interface AppDeps
  extends LateRouteOptions,
    Pick<BaseRouteDeps, 'store' | 'publicUrl' | 'log' | 'now'>,
    Partial<Pick<BaseRouteDeps, 'damaged' | 'invocation'>> {
  readonly hosts: ReadonlySet<string>;
  readonly audit: WriteAudit;
  readonly version: string;
  readonly callRule?: CallRule;
  readonly trustedProxies?: readonly string[];
  /** Threads that run the tools. Without a pool, the tools run in the main thread. */
  readonly readPool?: ReadPool;
  /** How long a call may take where the store does not block this thread. A pool has its own limit. */
  readonly callTimeoutMs?: number;
  /** The queue of calls. By default, the app creates one that runs one call per thread. */
  readonly queue?: FairQueue;
  /** Called after each call. */
  readonly onCall?: () => void;
  /** Returns metrics of the whole process. Absent for an owner who must not see the load of others. */
  readonly measureProcess?: () => Promise<readonly Sample[]>;
}

/** The maximum number of calls of one app that wait in the queue. */
const MAX_WAITING_CALLS = 200;

/** Creates a queue that runs this many calls of different apps at the same time. */
export function createCallQueue(parallelCalls: number | undefined): FairQueue {
  return createFairQueue(MAX_WAITING_CALLS, parallelCalls);
}

/** The app with every route. */
export interface App extends Hono {
  /** Loads the routes that apps do not use. Otherwise the first request for one of them loads them. */
  loadLateRoutes(): Promise<Hono>;
  /** Answers calls of tools without Hono. */
  readonly serveEarly: ServeEarly;
}

/** Creates the app. It opens no file and no port. */
export function createApp(appDeps: AppDeps): App {
  const deps = createRouteDeps(appDeps);
  const app = createRouter(deps);
  const loadLateRoutes = loadOnce(async () => {
    // Loading the authorization server and the pages takes as long as loading the rest.
    const { addLateRoutes } = await import('./http/late-routes.ts');
    return addLateRoutes(createRouter(deps), deps, appDeps);
  });
  const isAllowed = createOriginCheck(deps.publicUrl, appDeps.hosts);
  const mcp = createMcpRoutes(deps, isAllowed);
  app.use('*', guardHostAndOrigin(isAllowed));
  app.route('/', mcp.routes);
  app.route('/', createDiscovery(deps));
  app.route('/', createMetricsRoutes(deps));
  app.all('*', async (c) => (await loadLateRoutes()).fetch(c.req.raw, c.env));
  return Object.assign(app, { loadLateRoutes, serveEarly: mcp.serveEarly });
}

/** Creates a router that sets the common headers and answers errors. */
function createRouter(deps: BaseRouteDeps): Hono {
  const { publicUrl } = deps;
  const app = new Hono();
  app.use('*', setAnswerHeaders(publicUrl));
  app.notFound((c) => answerNotFound(c, publicUrl));
  app.onError(async (thrown, c) => {
    // The rate limit for apps writes this event itself, with the name of the app.
    if (thrown instanceof TooManyRequests && !isForApps(c)) await writeRefusal(deps, 'rate_limited', c);
    return answerError(thrown, c, deps);
  });
  return app;
}

/** Loads when it is first needed. After an error, the next call tries again. */
function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= load().catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}

function createRouteDeps(deps: AppDeps): BaseRouteDeps {
  const { store, publicUrl, log, now, damaged = new Set(), invocation = PLAIN_COMMAND } = deps;
  const writeEvent = createEventWriter(store, log);
  const findSource = createSourceFinder(publicUrl, deps.trustedProxies ?? [], log);
  const admission = createCallAdmission(deps, writeEvent);
  const metrics = new CallMetrics(tools.map(({ name }) => name));
  const dictionary = createDictionary(store.read.stored.words);
  const performHere = createPerformer({
    store: store.read,
    cursorKey: store.cursorKey,
    dictionary,
    origin: publicUrl,
  });
  const runRead = createReadRunner({
    perform:
      deps.readPool?.createPerform(performHere, dictionary) ?? limitTime(performHere, deps.callTimeoutMs),
    enter: admission.enter,
    isShort: (read, input) => deps.readPool?.usesWorker(read, input) !== true,
    audit: deps.audit,
    log,
    now,
    onCall(name, outcome, ms) {
      metrics.noteCall(name, outcome, ms);
      deps.onCall?.();
    },
  });
  const onListed = createListedEvent(deps, writeEvent);
  return {
    store,
    publicUrl,
    loadMcp: loadOnce(async () => {
      // Most of the library is schemas, which take a third of the time to the first answer. Few calls need it.
      const { createMcp } = await import('./http/mcp/mcp.ts');
      return createMcp(runRead, { version: deps.version, origin: publicUrl }, onListed);
    }),
    direct: createDirectServer(runRead, deps.version, onListed),
    admission,
    runRead,
    getCaller: createCallerFinder({ store, publicUrl, findSource, writeEvent, now }),
    findSource,
    writeEvent,
    noteRefused: (code) => metrics.noteRefused(code),
    listMetrics: async () => [
      ...metrics.list(),
      // Owners may share the queue.
      ...(deps.measureProcess === undefined
        ? []
        : [...listQueue(admission), ...(await deps.measureProcess())]),
    ],
    damaged,
    invocation,
    log,
    now,
  };
}

function listQueue(admission: Admission): Sample[] {
  const { running, waiting } = admission.measure();
  return [
    gauge('pdpp_calls_running', 'Calls that run at present.', running),
    gauge('pdpp_calls_waiting', 'Calls that wait in the queue at present.', waiting),
  ];
}

function limitTime(perform: PerformRead, timeoutMs: number | undefined): PerformRead {
  return timeoutMs === undefined ? perform : withDeadline(perform, timeoutMs);
}

function createCallAdmission(
  { store, callRule, readPool, queue, now }: AppDeps,
  writeEvent: WriteEvent,
): Admission {
  return createAdmission({
    rule: callRule ?? DEFAULT_CALL_RULE,
    queue: queue ?? createCallQueue(readPool?.size),
    // Calls in this thread need none of the workers.
    shortQueue: readPool && createCallQueue(readPool.size),
    now: () => now().getTime(),
    shared: store.shared?.buckets,
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
