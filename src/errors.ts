import { formatHint, type Hint } from './text/hint.ts';

/** All error codes, each with an HTTP status and its line in docs/errors.md, which a test compares. */
export const errorCodes = {
  invalid_argument: [400, 'An argument is missing, has the wrong type or is out of range.'],
  unknown_argument: [400, 'The tool or route has no argument of that name.'],
  invalid_filter: [400, 'The filter is not an object of field conditions, or a condition is malformed.'],
  unknown_field: [400, 'The stream has no such field, or it is not part of the grant.'],
  unsupported_field: [400, 'The field does not support this operation.'],
  invalid_cursor: [400, 'The cursor is damaged, expired, or belongs to another grant, tool or query.'],
  too_many_groups: [400, 'The aggregation would return too many groups.'],
  invalid_declaration: [400, 'A source declaration does not have the required shape.'],
  unauthorized: [401, 'The request has no valid token.'],
  owner_token_refused: [403, 'The MCP endpoint does not accept owner tokens.'],
  owner_token_required: [403, 'Only the owner may do this.'],
  grant_revoked: [403, 'The grant behind the token was revoked or has expired.'],
  not_signed_in: [401, 'The page is for the owner, who is not signed in.'],
  forbidden_form: [403, 'The form did not come from a page of this server, or the page is out of date.'],
  forbidden_origin: [403, 'The server does not accept the Host or Origin of the request.'],
  unknown_stream: [404, 'There is no such stream, or it is not part of the grant.'],
  unknown_connection: [404, 'There is no such connection, or it is not part of the grant.'],
  not_found: [404, 'There is no such record or page, or it is not part of the grant.'],
  method_not_allowed: [405, 'The path does not support this HTTP method.'],
  ambiguous_connection: [409, 'Several connections have this stream. Name one of them.'],
  conflict: [409, 'The name is taken, or the data has changed in the meantime.'],
  gone: [410, 'The link has been used or has expired.'],
  payload_too_large: [413, 'The request body is larger than the route accepts.'],
  unsupported_media_type: [415, 'The request body has the wrong content type.'],
  too_many_requests: [429, 'Too many calls or too much work in a short time. Wait and try again.'],
  cancelled: [499, 'The caller cancelled the call or disconnected.'],
  internal: [500, 'An internal error. The log has the details under the request id.'],
  store_unusable: [500, 'The data folder cannot be used. Nothing in it was changed.'],
  busy: [503, 'The store is busy, or the database cannot be reached. Try again.'],
  timeout: [504, 'The call took longer than the server allows.'],
  disk_full: [507, 'The disk is full. Nothing was stored.'],
} as const satisfies Record<string, readonly [status: number, meaning: string]>;

export type ErrorCode = keyof typeof errorCodes;

/** Facts that help a caller correct a request: allowed names, connections, an example. */
export type ErrorDetails = Record<string, unknown>;

/** A failure whose message and hint we wrote. Both can name commands and tools. */
export class Refusal extends Error {
  /** Formatted for models and REST clients. Other surfaces format `parts`. */
  readonly hint: string | undefined;
  readonly parts: { readonly message: Hint; readonly hint?: Hint };
  readonly details: ErrorDetails;

  constructor(message: Hint, { hint, cause, ...details }: RefusalOptions) {
    super(formatHint(message), { cause });
    this.hint = hint && formatHint(hint);
    this.parts = hint === undefined ? { message } : { message, hint };
    this.details = details;
  }
}

export type RefusalOptions = { hint?: Hint; cause?: unknown } & ErrorDetails;

/**
 * An expected refusal. The message never contains a driver's text, a caller's value or a record's content: models read
 * errors, and such text could steer a model.
 */
export class AppError extends Refusal {
  override readonly name = 'AppError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: Hint, options: RefusalOptions = {}) {
    super(message, options);
    this.code = code;
  }

  get status(): number {
    return errorCodes[this.code][0];
  }
}

/** Returns the JSON form of an error in tool results and REST answers. */
export function errorBody(error: AppError, requestId?: string) {
  return {
    error: {
      code: error.code,
      message: error.message,
      ...(error.hint === undefined ? {} : { hint: error.hint }),
      ...error.details,
      ...(requestId === undefined ? {} : { request_id: requestId }),
    },
  };
}
