export const SCOPE = 'pdpp:read';

/** Returns the resource of all tokens: the MCP endpoint, as clients type it. */
export function resourceOf(publicUrl: string): string {
  return `${publicUrl}/mcp`;
}
