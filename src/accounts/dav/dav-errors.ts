import { SyncError, type SyncErrorCode } from '../sync-source.ts';

/** An HTTP response with an error status. Callers check the status, because some requests expect an error. */
export class StatusError extends SyncError {
  readonly status: number;

  constructor(status: number, [code, message, fix]: readonly [SyncErrorCode, string, string]) {
    super(code, message, fix, new Error(`The status is ${status}.`));
    this.name = 'StatusError';
    this.status = status;
  }
}

export function explainStatus(response: Response): StatusError {
  const { status } = response;
  if (status === 401) return new StatusError(status, explainUnauthorized(response));
  if (status === 403)
    return new StatusError(status, [
      'forbidden',
      'The server does not allow this.',
      'Check the permissions of the user.',
    ]);
  if (status === 404 || status === 410)
    return new StatusError(status, [
      'not_found',
      'The server has nothing at this address.',
      'Check the address.',
    ]);
  if (status === 413 || status === 507)
    return new StatusError(status, [
      'too_large',
      'The server has too many entries for one response.',
      'Choose fewer collections.',
    ]);
  if (status === 429 || status >= 500)
    return new StatusError(status, [
      'unreachable',
      'The server has a problem.',
      'pdpp tries again automatically.',
    ]);
  return new StatusError(status, [
    'protocol',
    'The server did not understand the request.',
    'Check that the address belongs to a server of this kind.',
  ]);
}

function explainUnauthorized(response: Response): readonly [SyncErrorCode, string, string] {
  const schemes = response.headers.get('www-authenticate') ?? '';
  // Servers list the authentication schemes that they accept. Some list none.
  if (/digest/i.test(schemes) && !/basic/i.test(schemes))
    return [
      'credentials',
      'The server requires Digest authentication, which is not supported.',
      'Allow Basic authentication on the server.',
    ];
  if (/bearer/i.test(schemes) && !/basic/i.test(schemes))
    return [
      'credentials',
      'The server requires OAuth, which is not supported.',
      'Import an export of this provider instead.',
    ];
  return [
    'credentials',
    'The server refused the user name or the password.',
    'Check both. Many providers need an app password.',
  ];
}
