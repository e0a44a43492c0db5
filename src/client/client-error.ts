import { Refusal, type RefusalOptions } from '../errors.ts';
import type { Hint } from '../text/hint.ts';

/**
 * The errors of the client itself; a server's refusals have the server's codes. Each code has one exit code and one line
 * in docs/errors.md, which a test compares.
 */
export const clientErrorCodes = {
  wrong_use: [2, 'An address or name is invalid, or it matches several servers.'],
  nothing_to_connect: [2, 'The server does not require signing in.'],
  file_unusable: [
    3,
    'The file or folder with the stored connections cannot be used. Nothing in it was changed.',
  ],
  file_missing: [4, 'A named file does not exist.'],
  not_connected: [4, 'This connection exists neither in this folder nor for your user.'],
  not_a_server: [4, 'The address is not an MCP server.'],
  unreachable: [5, 'The server does not answer. Try again.'],
  asked_too_often: [5, 'Too many attempts. Wait and try again.'],
  file_locked: [5, 'Another process is renewing the same access. Try again.'],
  unsafe_server: [6, 'Signing in to this server is not safe. Nothing was sent.'],
  sign_in_refused: [6, 'The server or the owner denied access.'],
  access_ended: [6, 'The stored access has ended.'],
} as const satisfies Record<string, readonly [exitCode: number, meaning: string]>;

export type ClientErrorCode = keyof typeof clientErrorCodes;

/** An expected failure of the client, with our own message. */
export class ClientError extends Refusal {
  override readonly name = 'ClientError';
  readonly code: ClientErrorCode;

  constructor(code: ClientErrorCode, message: Hint, options: RefusalOptions = {}) {
    super(message, options);
    this.code = code;
  }

  get exitCode(): number {
    return clientErrorCodes[this.code][0];
  }
}
