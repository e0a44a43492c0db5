import { Refusal, type RefusalOptions } from '../errors.ts';
import type { Hint } from '../text/hint.ts';

/**
 * Every way this program can fail as a client, before a server has refused anything: those refusals have the server's
 * own codes. The set is closed: each code has one exit code and one line of docs/errors.md, kept in step by a test.
 */
export const clientErrorCodes = {
  wrong_use: [2, 'What was named cannot be meant: an address, a name, one of several servers.'],
  nothing_to_connect: [2, 'The server does not ask anybody to sign in.'],
  file_unusable: [3, 'A file or folder of connections cannot be used as it is; nothing in it was changed.'],
  file_missing: [4, 'A file that was named is not there.'],
  not_connected: [4, 'There is no such connection for this folder, or for the user.'],
  not_a_server: [4, 'What answers at the address is not an MCP server.'],
  unreachable: [5, 'The server does not answer now; try again.'],
  asked_too_often: [5, 'The server has had too many attempts; wait and try again.'],
  file_locked: [5, 'Another process is renewing the same access; try again.'],
  unsafe_server: [6, 'The way the server wants to sign in is not safe, so nothing was sent.'],
  sign_in_refused: [6, 'The server, or the owner, did not give access.'],
  access_ended: [6, 'The access that was stored has ended.'],
} as const satisfies Record<string, readonly [exitCode: number, meaning: string]>;

export type ClientErrorCode = keyof typeof clientErrorCodes;

/** An expected failure between us and a server, in our words. */
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
