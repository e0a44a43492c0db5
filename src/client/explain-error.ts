import {
  IssuerMismatchError,
  OAuthClientFlowError,
  OAuthError,
  OAuthErrorCode,
  ProtocolError,
  RegistrationRejectedError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { z } from 'zod';
import { AppError, type ErrorCode, type ErrorDetails, errorCodes } from '../errors.ts';
import { command, type Hint, hint } from '../text/hint.ts';
import { ClientError, type ClientErrorCode } from './client-error.ts';
import { unreachable } from './guarded-fetch.ts';

export function accessEnded(server: URL, cause?: unknown): ClientError {
  return new ClientError('access_ended', hint`Access has ended. Run: ${command('connect', server.origin)}`, {
    cause,
  });
}

/**
 * Converts an error of the SDK to one with our own message. Messages of a server that is not yet trusted are not shown.
 * Unknown errors are bugs and are returned unchanged.
 */
export function explainError(error: unknown, server: URL): unknown {
  const known = findKnownError(error);
  if (known !== undefined) return known;
  if (isConnectionLost(error)) return unreachable(server, error);
  const refuse = (code: ClientErrorCode, message: string, hint?: Hint) =>
    new ClientError(code, message, { ...(hint === undefined ? {} : { hint }), cause: error });
  if (error instanceof IssuerMismatchError) {
    return refuse('unsafe_server', 'The answer came from another issuer. Nothing was sent to it.');
  }
  if (error instanceof RegistrationRejectedError) {
    return error.status === 429
      ? new ClientError('asked_too_often', 'Too many attempts.', {
          hint: 'Try again later.',
        })
      : refuse('sign_in_refused', 'The server refused to register this app.');
  }
  if (error instanceof OAuthClientFlowError)
    return refuse('unsafe_server', 'The sign-in that the server offers is not safe.');
  if (error instanceof OAuthError || error instanceof UnauthorizedError) {
    return 'code' in error && error.code === OAuthErrorCode.AccessDenied
      ? refuse('sign_in_refused', 'The owner denied access.')
      : refuse(
          'sign_in_refused',
          'The server refused the sign-in.',
          hint`Try again: ${command('connect', server.origin)}`,
        );
  }
  if (error instanceof SdkHttpError) return explainStatus(error, server);
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout)
    return new ClientError('unreachable', 'The server did not answer in time.', { cause: error });
  if (error instanceof SdkError || error instanceof ProtocolError)
    return notMcp(`${server.href} is not an MCP server.`, error);
  if (error instanceof SyntaxError || (error instanceof Error && error.name === 'ZodError'))
    return notMcp(`${server.origin} sent an invalid answer.`, error);
  return error;
}

/** Returns whether the connection broke while an answer was being read. */
function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const isAborted = error.name === 'TimeoutError' || error.message === 'terminated';
  return isAborted || ('code' in error && error.code === 'ECONNRESET') || isConnectionLost(error.cause);
}

const partShape = z.union([
  z.string(),
  z.object({ command: z.string(), rest: z.string().optional() }),
  z.object({ tool: z.string(), args: z.record(z.string(), z.string().nullable()).optional() }),
  z.object({ argument: z.string() }),
  z.object({ model: z.string(), terminal: z.string() }),
]);
const hintShape = z.union([z.string(), z.array(partShape)]);
const partsShape = z.object({ message: hintShape, hint: hintShape.exactOptional() });

/** Converts the refusal of a tool or route to the error that the server threw. */
export function readRefusal(body: unknown, sentParts?: unknown): AppError | undefined {
  const error = (body as { error?: unknown } | null | undefined)?.error;
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  const { code, message, hint, ...details } = error as ErrorDetails;
  const known =
    typeof code === 'string' && Object.hasOwn(errorCodes, code) ? (code as ErrorCode) : 'internal';
  const plain = { message: String(message), ...(typeof hint === 'string' ? { hint } : {}) };
  const { message: text, ...rest } = partsShape.safeParse(sentParts).data ?? plain;
  return new AppError(known, text, {
    ...Object.fromEntries(Object.entries(details).map(([name, value]) => [name, flatten(value)])),
    ...rest,
  });
}

function explainStatus(error: SdkHttpError, server: URL): unknown {
  if (error.status === 401) return accessEnded(server, error);
  const refusal = readRefusal(parseJson(error.data.text));
  if (refusal !== undefined) return refusal;
  if ([502, 503, 504].includes(error.status)) {
    return new ClientError('unreachable', `${server.href} is unavailable.`, { cause: error });
  }
  return notMcp(`${server.href} answered with status ${error.status}.`, error);
}

function notMcp(message: string, cause: unknown): ClientError {
  return new ClientError('not_a_server', message, { hint: 'Check the address.', cause });
}

function findKnownError(error: unknown): AppError | ClientError | undefined {
  if (error instanceof AppError || error instanceof ClientError) return error;
  return error instanceof Error && error.cause !== undefined ? findKnownError(error.cause) : undefined;
}

/** Converts objects to one line of their values. */
function flatten(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(flatten);
  if (typeof value !== 'object' || value === null) return value;
  return Object.values(value).map(String).join('  ');
}

function parseJson(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}
