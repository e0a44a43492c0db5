import { RefusedAddressError } from '../../network/resolve-host.ts';
import { SyncError, type SyncErrorCode } from '../sync-source.ts';

type Explanation = readonly [code: SyncErrorCode, message: string, fix: string];

const CHECK_ADDRESS = 'Check the address of the server.';
const WAIT = 'pdpp tries again automatically. Check whether the server is running.';
const OWN_AUTHORITY =
  'If it is your own server, see “A server at home” in docs/accounts-calendars.md. Otherwise check the address.';

const EXPLANATIONS: Readonly<Record<string, Explanation>> = {
  ENOTFOUND: ['unreachable', 'The name of the server was not found.', CHECK_ADDRESS],
  ENODATA: ['unreachable', 'The name of the server was not found.', CHECK_ADDRESS],
  EAI_AGAIN: [
    'unreachable',
    'The name of the server could not be looked up.',
    'Check the internet connection of this computer.',
  ],
  ECONNREFUSED: ['unreachable', 'The server refused the connection.', 'Check the address and the port.'],
  ECONNRESET: ['unreachable', 'The server closed the connection.', WAIT],
  EPIPE: ['unreachable', 'The server closed the connection.', WAIT],
  UND_ERR_SOCKET: ['unreachable', 'The server closed the connection.', WAIT],
  EHOSTUNREACH: [
    'unreachable',
    'The server cannot be reached.',
    'Check the network connection of this computer.',
  ],
  ENETUNREACH: [
    'unreachable',
    'The server cannot be reached.',
    'Check the network connection of this computer.',
  ],
  ETIMEDOUT: ['too_slow', 'The server did not answer in time.', WAIT],
  CERT_HAS_EXPIRED: [
    'certificate',
    'The certificate of the server has expired.',
    'The operator of the server must renew it.',
  ],
  CERT_NOT_YET_VALID: [
    'certificate',
    'The certificate of the server is not valid yet.',
    'Check the clock of this computer.',
  ],
  CERT_REVOKED: [
    'certificate',
    'The certificate of the server was revoked.',
    'The operator of the server must replace it.',
  ],
  DEPTH_ZERO_SELF_SIGNED_CERT: [
    'certificate',
    'The certificate of the server is self-signed.',
    OWN_AUTHORITY,
  ],
  SELF_SIGNED_CERT_IN_CHAIN: [
    'certificate',
    'The certificate of the server comes from an unknown authority.',
    OWN_AUTHORITY,
  ],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'certificate',
    'The certificate of the server is for another name.',
    'Use the name that the certificate was issued for.',
  ],
  EPROTO: [
    'not_encrypted',
    'The server did not open an encrypted connection.',
    'Check that the port is the one for TLS.',
  ],
};
const UNKNOWN_AUTHORITY = EXPLANATIONS.SELF_SIGNED_CERT_IN_CHAIN as Explanation;
const UNENCRYPTED = EXPLANATIONS.EPROTO as Explanation;
const INVALID_HTTP: Explanation = [
  'protocol',
  'The server sent an invalid response.',
  'Check that the address belongs to a server of this kind.',
];
const REFUSED_ADDRESS: Explanation = [
  'private_address',
  'The server is in a private network.',
  'If it is a server at home, allow private addresses for this account.',
];
const UNKNOWN: Explanation = ['unreachable', 'The connection to the server failed.', WAIT];

/** Explains a failed connection to the owner. The error itself becomes the cause, for the log. */
export function explainNetworkError(error: unknown): SyncError {
  if (error instanceof SyncError) return error;
  const [code, message, fix] = explain(error);
  return new SyncError(code, message, fix, error);
}

function explain(error: unknown): Explanation {
  if (error instanceof RefusedAddressError) return REFUSED_ADDRESS;
  if (error instanceof Error && error.name === 'TimeoutError') return EXPLANATIONS.ETIMEDOUT as Explanation;
  const code = findCode(error);
  const known = EXPLANATIONS[code];
  if (known !== undefined && Object.hasOwn(EXPLANATIONS, code)) return known;
  // OpenSSL has many codes for a chain that does not end at a trusted authority, and for a broken handshake.
  if (/CERT|ISSUER|CRL|VERIFY_LEAF/.test(code)) return UNKNOWN_AUTHORITY;
  if (/^ERR_SSL_/.test(code)) return UNENCRYPTED;
  if (/^HPE_|^ERR_(?:HTTP|INVALID)/.test(code)) return INVALID_HTTP;
  return UNKNOWN;
}

/** Returns the code of an error. An attempt at several addresses fails with one error for each. */
function findCode(error: unknown): string {
  const { code, errors } = error as { code?: unknown; errors?: unknown };
  if (Array.isArray(errors) && errors.length > 0) return findCode(errors[0]);
  return typeof code === 'string' ? code : '';
}

export function protocolError(message: string, cause?: unknown): SyncError {
  return new SyncError(
    'protocol',
    message,
    'Check that the address belongs to a server of this kind.',
    cause,
  );
}

export function tooLarge(): SyncError {
  return new SyncError(
    'too_large',
    'The server sent more data than is accepted.',
    'Check that the address is correct.',
  );
}
