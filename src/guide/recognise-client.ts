import type { ClientKey } from './guide-clients.ts';

/** Clients that publish a document about themselves are known by its address. Codex's lies under ChatGPT's. */
const byId: readonly [ClientKey, RegExp][] = [
  ['claude-code', /^https:\/\/claude\.ai\/oauth\/claude-code-client-metadata$/],
  ['claude', /^https:\/\/claude\.ai\/oauth\/mcp-oauth-client-metadata$/],
  ['codex', /^https:\/\/chatgpt\.com\/oauth\/codex\//],
  ['chatgpt', /^https:\/\/chatgpt\.com\/oauth\//],
  ['vs-code', /^https:\/\/vscode\.dev\/oauth\/client-metadata\.json$/],
];

/** Clients that registered, and grants made on the command line, have only the name they gave. */
const byName: readonly [ClientKey, RegExp][] = [
  ['claude-code', /^claude[ -]?code\b/i],
  ['claude-desktop', /^claude[ -]?desktop\b/i],
  ['claude', /^claude\b/i],
  ['codex', /^codex\b/i],
  ['chatgpt', /^chatgpt\b/i],
  ['cursor', /^cursor\b/i],
  ['vs-code', /^(visual studio code|vs ?code)\b/i],
];

/** Which entry of the guide an app belongs to. Good for a line on a page, never for trusting it. */
export function recogniseClient(
  clientId: string | null | undefined,
  name: string | null | undefined,
): ClientKey {
  const isDocument = /^https?:/.test(clientId ?? '');
  const found = isDocument
    ? byId.find(([, id]) => id.test(clientId as string))
    : byName.find(([, pattern]) => pattern.test(name ?? ''));
  return found?.[0] ?? 'other';
}
