import type { ClientKey } from './guide-clients.ts';

/** Client metadata documents are recognised by URL. Codex comes first because its URL is below ChatGPT's. */
const byId: readonly [ClientKey, RegExp][] = [
  ['claude-code', /^https:\/\/claude\.ai\/oauth\/claude-code-client-metadata$/],
  ['claude', /^https:\/\/claude\.ai\/oauth\/mcp-oauth-client-metadata$/],
  ['codex', /^https:\/\/chatgpt\.com\/oauth\/codex\//],
  ['chatgpt', /^https:\/\/chatgpt\.com\/oauth\//],
  ['vs-code', /^https:\/\/vscode\.dev\/oauth\/client-metadata\.json$/],
];

/** Registered clients and grants from the command line are recognised by name. */
const byName: readonly [ClientKey, RegExp][] = [
  ['claude-code', /^claude[ -]?code\b/i],
  ['claude-desktop', /^claude[ -]?desktop\b/i],
  ['claude', /^claude\b/i],
  ['codex', /^codex\b/i],
  ['chatgpt', /^chatgpt\b/i],
  ['cursor', /^cursor\b/i],
  ['vs-code', /^(visual studio code|vs ?code)\b/i],
];

/** Finds the guide entry of an app. It is for display, never for trust. */
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
