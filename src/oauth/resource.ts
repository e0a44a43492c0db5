import { errors } from './library.ts';

export const SCOPE = 'pdpp:read';

/** Returns the resource of all tokens: the MCP endpoint, as clients type it. */
export function resourceOf(publicUrl: string): string {
  return `${publicUrl}/mcp`;
}

/** Accepts four spellings of our resource: RFC 8707 leaves the trailing slash open, and some clients send the origin. */
export function checkResource(publicUrl: string, named: readonly string[]): string {
  const own = resourceOf(publicUrl);
  const names = new Set([own, `${own}/`, publicUrl, `${publicUrl}/`]);
  if (named.some((name) => !names.has(name))) throw new errors.InvalidTarget();
  return own;
}
