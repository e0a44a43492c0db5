import type { WriteAudit } from '../audit/audit.ts';
import { AppError, errorBody } from '../errors.ts';
import { TooManyRequests } from '../limits/too-many-requests.ts';
import type { Log } from '../log.ts';
import type { Catalog } from '../schema-index/catalog.ts';
import { createId } from '../secrets/token.ts';
import { findStoreError } from '../store/store-error.ts';
import { estimateTokens } from '../text/estimate-tokens.ts';
import type { Caller, EnterCall, Surface } from './admission.ts';
import type { Disclosure, GrantedRead } from './granted-read.ts';
import type { Performed, PerformRead } from './perform-read.ts';

/** An answer as MCP, REST and pages use it. */
export type Answer<Body extends object = Record<string, unknown>> = {
  /** JSON.stringify(body). */
  readonly text: string;
  readonly status: number;
  /** Present in a refusal that ends by itself. */
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
  /** The catalog, where the request has loaded it already. */
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
  readonly audit: WriteAudit;
  readonly log: Log;
  readonly now: () => Date;
  /** Hears of every call, its outcome and its running time. */
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
    const grant = caller.kind === 'client' ? caller.grant : undefined;
    let result: Performed<Body> | undefined;
    let failure: AppError | undefined;
    let leave: (() => void) | undefined;
    try {
      leave = await deps.enter(caller, surface, signal);
      started = performance.now();
      result = await deps.perform(read, input, {
        grant,
        requestId,
        now,
        catalog,
        signal,
        versions: caller.versions,
      });
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
