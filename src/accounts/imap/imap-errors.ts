import { explainNetworkError } from '../network/network-errors.ts';
import { SyncError, type SyncErrorCode } from '../sync-source.ts';
import { findPresetOfServer } from './mail-presets.ts';

type Explanation = readonly [code: SyncErrorCode, message: string, fix: string];

const WAIT = 'pdpp tries again automatically. Check whether the server is running.';
const OTHER_SERVER = 'Check that the address belongs to an IMAP server.';

const TOO_LARGE: Explanation = [
  'too_large',
  'The mail server sent a response that is larger than allowed.',
  OTHER_SERVER,
];
const CLOSED: Explanation = ['unreachable', 'The mail server closed the connection.', WAIT];
const NO_GREETING: Explanation = [
  'too_slow',
  'The mail server did not answer in time.',
  'Check the port and the kind of encryption. pdpp tries again automatically.',
];
const SLOW: Explanation = ['too_slow', 'The mail server did not answer in time.', WAIT];
const NO_STARTTLS: Explanation = [
  'not_encrypted',
  'The mail server does not offer an encrypted connection on this port.',
  'Use the port for TLS, which is usually 993.',
];
const INVALID: Explanation = ['protocol', 'The mail server sent an invalid response.', OTHER_SERVER];
const BUSY: Explanation = [
  'unreachable',
  'The mail server does not accept the connection at the moment.',
  'pdpp tries again automatically. Close other mail programs if there are many.',
];

const EXPLANATIONS: Readonly<Record<string, Explanation>> = {
  LineTooLarge: TOO_LARGE,
  LiteralTooLarge: TOO_LARGE,
  ResponseTooLarge: TOO_LARGE,
  NoConnection: CLOSED,
  EConnectionClosed: CLOSED,
  StateLogout: CLOSED,
  ClosedAfterConnectText: CLOSED,
  ClosedAfterConnectTLS: CLOSED,
  CONNECT_TIMEOUT: ['unreachable', 'The mail server cannot be reached.', WAIT],
  GREETING_TIMEOUT: NO_GREETING,
  UPGRADE_TIMEOUT: NO_GREETING,
  ETIMEOUT: SLOW,
  LockTimeout: SLOW,
  ETHROTTLE: BUSY,
  STARTTLS_INJECTION: NO_STARTTLS,
  UnexpectedTag: INVALID,
  InvalidResponse: INVALID,
  ResponseProcessingFailed: INVALID,
  MAX_IMAP_NESTING_REACHED: INVALID,
};

interface ImapError {
  readonly code?: unknown;
  readonly authenticationFailed?: boolean;
  readonly tlsFailed?: boolean;
  readonly serverResponseCode?: unknown;
  readonly responseStatus?: unknown;
}

/** Explains a failure to the owner. The error itself becomes the cause, for the log. */
export function explainImapError(error: unknown, server: string): SyncError {
  if (error instanceof SyncError) return error;
  const { code, authenticationFailed, tlsFailed, serverResponseCode, responseStatus } = error as ImapError;
  const make = ([kind, message, fix]: Explanation) => new SyncError(kind, message, fix, error);
  const isKnown = typeof code === 'string' && Object.hasOwn(EXPLANATIONS, code);
  const isBusy = /^(?:UNAVAILABLE|LIMIT|INUSE|SERVERBUG)$/.test(String(serverResponseCode));
  if (isBusy) return make(BUSY);
  if (authenticationFailed === true && !isKnown) return make(explainRefusal(server));
  if (isKnown) return make(EXPLANATIONS[code] as Explanation);
  if (typeof code === 'string' && code.startsWith('ParserError')) return make(INVALID);
  // Node has a code for each problem of a certificate and of the network.
  if (typeof code === 'string') return explainNetworkError(error);
  if (tlsFailed === true) return make(NO_STARTTLS);
  return make(responseStatus === 'NO' ? BUSY : INVALID);
}

function explainRefusal(server: string): Explanation {
  const preset = findPresetOfServer(server);
  const fix =
    preset === undefined
      ? 'Enter the password again. Many providers need an app password, which you make on their website.'
      : `${preset.password} The page is ${preset.passwordPage}`;
  return ['credentials', 'The mail server refused the user name or the password.', fix];
}

export const tooSlow = () => new SyncError(...SLOW);
export const tooLarge = () => new SyncError(...TOO_LARGE);
export const invalidResponse = (message: string) => new SyncError('protocol', message, OTHER_SERVER);
