import { type Context, Hono } from 'hono';
import { createDashboard } from '../dashboard/routes.tsx';
import type { WriteAudit } from './audit/audit.ts';
import { createDiscovery } from './discovery.ts';
import { AppError, errorBody } from './errors.ts';
import { challenge, checkOrigin, findCaller, Unauthorized } from './gate.ts';
import { createAccessFinder } from './grants/grant-store.ts';
import { readHorizon } from './grants/read-changes.ts';
import { readChangedData, readWords } from './grants/read-matches.ts';
import { createId } from './grants/token.ts';
import type { Log } from './log.ts';
import { createMcp } from './mcp.ts';
import { readJsonBody } from './read-body.ts';
import { createRest } from './rest.ts';
import { createToolRunner, toAppError } from './run-tool.ts';
import { createDictionary } from './search/dictionary.ts';
import type { Store } from './store/open-store.ts';

export interface AppDeps {
  readonly store: Store;
  readonly publicUrl: string;
  readonly hosts: ReadonlySet<string>;
  readonly audit: WriteAudit;
  readonly log: Log;
  readonly now: () => Date;
  readonly version: string;
}

const MCP_BODY_BYTES = 256 * 1024;
const MOST_BATCHED = 20;
const EVERY_ANSWER = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' };

/**
 * What the protocol library would let through: batches of any length, answers to questions we never ask,
 * and listening streams, which would outlive their token and have nothing to tell.
 */
function checkMessages(body: unknown): Response | undefined {
  const messages = (Array.isArray(body) ? body : [body]) as { method?: unknown; id?: unknown }[];
  if (messages.length > MOST_BATCHED) {
    throw new AppError('invalid_argument', `A batch holds at most ${MOST_BATCHED} messages.`);
  }
  if (messages.some((message) => typeof message?.method !== 'string')) {
    throw new AppError('invalid_argument', 'A message must have a method.');
  }
  const listen = messages.find((message) => message.method === 'subscriptions/listen');
  if (listen === undefined) return undefined;
  const error = { code: -32601, message: 'Method not found' };
  return Response.json({ jsonrpc: '2.0', id: listen.id ?? null, error }, { status: 404 });
}

/** Every route. Opens nothing and listens on nothing. */
export function createApp(deps: AppDeps): Hono {
  const { store, publicUrl, log, now } = deps;
  const app = new Hono();
  const findAccess = createAccessFinder(store.read);
  const getCaller = (c: Context) => findCaller(c, findAccess, now());
  const findSimilar = createDictionary({
    readAll: () => readWords(store.read.db),
    readVersion: () => readHorizon(store.read.db),
    readChanged: (since, limit) => readChangedData(store.read.db, since, limit),
  });
  const runTool = createToolRunner({
    store: store.read,
    cursorKey: store.cursorKey,
    findSimilar,
    audit: deps.audit,
    log,
    origin: publicUrl,
    now,
  });
  const mcp = createMcp(runTool, deps.version);

  app.use(
    '*',
    checkOrigin(deps.hosts, new Set([publicUrl, ...[...deps.hosts].map((host) => `http://${host}`)])),
  );
  // Set before the answer is made: adding to a finished one would copy it.
  app.use('*', async (c, next) => {
    for (const [name, value] of Object.entries(EVERY_ANSWER)) c.header(name, value);
    await next();
  });

  app.all('/mcp', async (c) => {
    const caller = await getCaller(c);
    if (caller.kind === 'owner') {
      throw new AppError('owner_token_refused', 'Owner tokens are not accepted here.', {
        hint: 'Make a grant: pdpp grant create',
      });
    }
    if (c.req.method !== 'POST') {
      c.header('allow', 'POST');
      throw new AppError('method_not_allowed', 'Only POST is served here.');
    }
    const body = await readJsonBody(c, MCP_BODY_BYTES);
    const response = checkMessages(body) ?? (await mcp(c.req.raw, body, caller));
    for (const [name, value] of Object.entries(EVERY_ANSWER)) response.headers.set(name, value);
    return response;
  });
  app.route('/v1', createRest({ runTool, write: store.write, getCaller }));
  app.route('/', createDiscovery(publicUrl, store.read));
  app.route('/', createDashboard(publicUrl));

  app.notFound((c) => {
    const error = new AppError('not_found', 'There is nothing at this path.', {
      hint: `See ${publicUrl}/llms.txt`,
    });
    return c.json(errorBody(error), 404);
  });
  app.onError((thrown, c) => {
    const requestId = createId('req');
    const error = toAppError(thrown, requestId, log);
    if (error instanceof Unauthorized) {
      const isMcp = c.req.path === '/mcp';
      if (!isMcp && error.ended)
        return c.json(errorBody(new AppError('grant_revoked', 'The grant has ended.'), requestId), 403);
      c.header('www-authenticate', challenge(publicUrl, error));
    }
    return c.json(errorBody(error, requestId), error.status as 400);
  });
  return app;
}
