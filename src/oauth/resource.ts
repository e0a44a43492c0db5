import { errors } from './library.ts';

export const SCOPE = 'pdpp:read';

/** What a token is for: the one MCP endpoint, written exactly as clients type it. */
export function resourceOf(publicUrl: string): string {
  return `${publicUrl}/mcp`;
}

/**
 * Clients name the resource in one of four ways (RFC 8707 leaves the trailing slash open, and some take the
 * origin for the endpoint). All mean the same; anything else is somebody else's.
 */
export function checkResource(publicUrl: string, named: readonly string[]): string {
  const own = resourceOf(publicUrl);
  const names = new Set([own, `${own}/`, publicUrl, `${publicUrl}/`]);
  if (named.some((name) => !names.has(name))) throw new errors.InvalidTarget();
  return own;
}
