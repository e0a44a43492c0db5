import type { WriteAudit } from '../audit/audit.ts';
import { AppError, errorBody } from '../errors.ts';
import { cursorScope, type Grant } from '../grants/grant.ts';
import { TooManyRequests } from '../limits/too-many-requests.ts';
import type { Log } from '../log.ts';
import type { Catalog } from '../schema-index/catalog.ts';
import { createId } from '../secrets/token.ts';
import { findStoreError } from '../store/store-error.ts';
import { estimateTokens } from '../text/estimate-tokens.ts';
import type { Caller, EnterCall, Surface } from './admission.ts';
import type { Disclosure, GrantedRead, NamedRead, Performed, PerformRead } from './granted-read.ts';

/** An answer as MCP, REST and pages use it. */
export type Answer<Body extends object = Record<string, unknown>> = {
  /** JSON.stringify(body). */
  readonly text: string;
  readonly status: number;
  /** The time to wait, for refusals that are temporary. */
  readonly retryAfterSeconds?: number;
} & (
  | { readonly isError: false; readonly body: Body }
  | {
      readonly isError: true;
      readonly body: ReturnType<typeof errorBody>;
      readonly parts: AppError['parts'];
    }
);

export interface RunOptions<Body extends object> {
  readonly surface: Surface;
  /** Ends the wait in the queue when the caller disconnects. */
  readonly signal?: AbortSignal;
  /** The catalog, if the request has already loaded it. */
  readonly catalog?: Catalog;
  /** Returns whether an earlier audit entry covers the answer, so that it needs none of its own. */
  readonly isRecorded?: (body: Body) => boolean;
}

export type RunRead = <Input, Body extends object>(
  read: GrantedRead<Input, Body>,
  input: Input,
  caller: Caller,
  options: RunOptions<Body>,
) => Promise<Answer<Body>>;

export interface RunReadDeps {
  readonly perform: PerformRead;
  readonly enter: EnterCall;
  /** Returns whether a read is short. Without it, all count as short. */
  readonly isShort?: (read: NamedRead, input: unknown) => boolean;
  readonly audit: WriteAudit;
  readonly log: Log;
  readonly now: () => Date;
  /** Called after each call with its outcome and running time. */
  readonly onCall?: (name: string, outcome: string, ms: number) => void;
}

const NOTHING: Disclosure = { connectionIds: [], streams: [], fields: [], records: 0 };

/** Returns the function that runs every read of records, for MCP, REST and pages: admission, granted reader, run, audit. */
export function createReadRunner(deps: RunReadDeps): RunRead {
  const refuse = (failure: AppError, requestId: string): Answer<never> => {
    const body = errorBody(failure, requestId);
    return {
      body,
      text: JSON.stringify(body),
      status: failure.status,
      isError: true,
      parts: failure.parts,
      ...(failure instanceof TooManyRequests ? { retryAfterSeconds: failure.retryAfterSeconds } : {}),
    };
  };

  return async <Input, Body extends object>(
    read: GrantedRead<Input, Body>,
    input: Input,
    caller: Caller,
    { surface, signal, catalog, isRecorded }: RunOptions<Body>,
  ) => {
    let started = performance.now();
    const now = deps.now();
    const requestId = createId('req');
    const grant = grantOf(caller);
    let result: Performed<Body> | undefined;
    let failure: AppError | undefined;
    let leave: (() => void) | undefined;
    try {
      leave = await deps.enter(caller, surface, { signal, isShort: deps.isShort?.(read, input) ?? true });
      started = performance.now();
      result = await performWithAccess(caller, deps.now, (present) =>
        deps.perform(read, input, {
          ...{ grant: grantOf(present), requestId, now, catalog, signal },
          versions: present.versions,
        }),
      );
    } catch (error) {
      failure = toAppError(error, requestId, deps.log);
    } finally {
      leave?.();
    }
    deps.onCall?.(read.name, failure?.code ?? 'ok', performance.now() - started);
    const answered: Answer<Body> =
      result === undefined ? refuse(failure as AppError, requestId) : toAnswer(result);
    if (result !== undefined && isRecorded?.(result.body) === true) return answered;
    // On the dashboard the reader is the owner, even in a preview of what an app sees.
    const app = surface === 'dashboard' ? undefined : grant;
    try {
      await deps.audit(
        {
          requestId,
          client: app?.clientName ?? 'owner',
          grantId: app?.grantId,
          surface,
          tool: read.name,
          ...(result?.disclosure ?? NOTHING),
          tokensOut: result?.tokens ?? estimateTokens(answered.text),
          ms: performance.now() - started,
          outcome: failure?.code ?? 'ok',
        },
        now,
      );
    } catch (error) {
      // An answer that cannot be audited is not sent.
      return refuse(toAppError(error, requestId, deps.log), requestId);
    }
    return answered;
  };
}

/** Access that was read longer ago is read again. Most calls are faster. */
const MAX_ACCESS_AGE_MS = 500;

/**
 * Performs a read with the present access of its caller. The access may end while a body arrives, a call waits in the
 * queue or a worker runs. Then nothing is answered. If the grant changed meanwhile, the read is performed again.
 */
async function performWithAccess<T>(
  caller: Caller,
  now: () => Date,
  perform: (present: Caller) => Promise<T>,
): Promise<T> {
  let present = await renewAccess(caller, now);
  for (;;) {
    const result = await perform(present);
    const after = await renewAccess(present, now);
    if (nameTerms(after) === nameTerms(present)) return result;
    present = after;
  }
}

/** Returns the caller with its present access. Throws if the access has ended. */
async function renewAccess(caller: Caller, now: () => Date): Promise<Caller> {
  const { readAt, readAgain } = caller;
  if (readAgain === undefined || readAt === undefined) return caller;
  if (performance.now() - readAt < MAX_ACCESS_AGE_MS) return caller;
  const access = await readAgain(now());
  if (access.kind === 'client' || access.kind === 'owner') return access;
  if (access.kind === 'ended') throw new AppError('grant_revoked', 'The grant has ended.');
  throw new AppError('unauthorized', 'The access token is no longer valid.');
}

function grantOf(caller: Caller): Grant | undefined {
  return caller.kind === 'client' ? caller.grant : undefined;
}

/** Names what a caller may read: terms change with their revision, or when the owner ends a connection. */
function nameTerms(caller: Caller): string {
  const grant = grantOf(caller);
  return grant === undefined ? 'owner' : JSON.stringify([cursorScope(grant), grant.endedConnections]);
}

/** Keeps `body` as it is: a worker's answer parses it when it is first read. */
function toAnswer<Body extends object>(result: Performed<Body>): Answer<Body> {
  return {
    get body() {
      return result.body;
    },
    text: result.text,
    status: 200,
    isError: false,
  };
}

/** Turns a store error into its typed refusal, and a bug into a fixed sentence. The log has the details under the id. */
export function toAppError(error: unknown, requestId: string, log: Log): AppError {
  if (error instanceof AppError) return error;
  const refusal = findStoreError(error);
  log('error', {
    request_id: requestId,
    ...(refusal === undefined ? {} : { code: refusal.code, driver: (error as { code: string }).code }),
    error: error instanceof Error ? (error.stack ?? error.message) : String(error),
  });
  if (refusal !== undefined) return refusal;
  return new AppError('internal', 'Something went wrong.', {
    hint: 'Try again. The owner can find the request id in the log.',
  });
}

/** Reads a page of the dashboard, or throws the refusal. In a preview of what an app sees, the viewer is the app. */
export async function readPage<Input, View extends object>(
  run: RunRead,
  page: GrantedRead<Input, View>,
  input: Input,
  viewer: Caller,
  options: Omit<RunOptions<View>, 'surface'> = {},
): Promise<View> {
  const answer = await run(page, input, viewer, { ...options, surface: 'dashboard' });
  if (!answer.isError) return answer.body;
  const { code, message, ...details } = answer.body.error;
  throw new AppError(code, message, details);
}
