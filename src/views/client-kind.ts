export type ClientKind = 'CLI' | 'IDE' | 'assistant' | 'app';

/** The first that fits counts: Codex signs in under chatgpt.com, and Claude Code carries the assistant's name. */
const signs: readonly [ClientKind, RegExp][] = [
  ['CLI', /claude[ _-]?code|codex|copilot[ _-]cli|gemini[ _-]cli|opencode|goose|aider|\bpdpp\b|\bcli\b/i],
  [
    'IDE',
    /cursor|vs ?code|vscode|visual studio|windsurf|\bzed\b|jetbrains|intellij|cline|kiro|continue\.dev/i,
  ],
  ['assistant', /chatgpt|claude|gemini|copilot|perplexity|mistral|le chat|librechat|open webui|grok/i],
];

/** What sort of program a client is, by its name and id. A label to find it by, never a reason to trust it. */
export function recogniseKind(clientName: string, clientId?: string): ClientKind {
  const text = `${clientId ?? ''} ${clientName}`;
  return signs.find(([, sign]) => sign.test(text))?.[0] ?? 'app';
}
