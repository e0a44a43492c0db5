/** Lower-case https, a host without user name, a path, perhaps a query, no fragment. */
const DOCUMENT_URL = /^https:\/\/[^/?#@]+(\/[^?#]+)(?:\?[^#]*)?$/;
const DOT_SEGMENT = /^(?:\.|%2e){1,2}$/i;
const MOST_CHARACTERS = 2_000;

/**
 * The URL that a client id is, if it is one that may name a metadata document. The raw text is judged,
 * because a URL parser repairs what it reads: it drops tabs, turns backslashes and resolves dot segments.
 */
export function findDocumentUrl(clientId: string): URL | undefined {
  if (clientId.length > MOST_CHARACTERS || /[^\x21-\x7e]|\\/.test(clientId)) return undefined;
  const path = DOCUMENT_URL.exec(clientId)?.[1];
  if (path?.split('/').some((segment) => DOT_SEGMENT.test(segment)) ?? true) return undefined;
  return URL.canParse(clientId) ? new URL(clientId) : undefined;
}
