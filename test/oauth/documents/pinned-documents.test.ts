import { describe, expect, it } from 'vitest';
import { describeClient } from '../../../src/oauth/consent/requesting-client.ts';
import { clientGrantTypes } from '../../../src/oauth/documents/check-document.ts';
import { findPinnedDocument } from '../../../src/oauth/documents/pinned-documents.ts';

const CLAUDE_CODE = 'https://claude.ai/oauth/claude-code-client-metadata';
const CHATGPT = 'https://chatgpt.com/oauth/client.json';

const clients: [clientId: string, name: string, type: string, redirects: string[]][] = [
  [CLAUDE_CODE, 'Claude Code', 'native', ['http://localhost/callback', 'http://127.0.0.1/callback']],
  [
    'https://claude.ai/oauth/mcp-oauth-client-metadata',
    'Claude',
    'web',
    ['https://claude.ai/api/mcp/auth_callback', 'https://claude.com/api/mcp/auth_callback'],
  ],
  [CHATGPT, 'ChatGPT', 'web', ['https://chatgpt.com/connector_platform_oauth_redirect']],
  [
    'https://chatgpt.com/oauth/kDmjx77UnKOM/client.json',
    'ChatGPT',
    'web',
    ['https://chatgpt.com/connector/oauth/kDmjx77UnKOM'],
  ],
  [
    'https://chatgpt.com/oauth/codex/client.json',
    'Codex',
    'native',
    ['http://localhost/callback', 'http://127.0.0.1/callback'],
  ],
  [
    'https://chatgpt.com/oauth/codex/Ui-hkzeEt_FU/client.json',
    'Codex',
    'native',
    ['http://localhost/callback/Ui-hkzeEt_FU', 'http://127.0.0.1/callback/Ui-hkzeEt_FU'],
  ],
  [
    'https://github.com/copilot/cli/client-metadata.json',
    'GitHub Copilot CLI',
    'native',
    ['http://127.0.0.1/', 'http://127.0.0.1/callback', 'http://localhost/', 'http://localhost/callback'],
  ],
  [
    'https://vscode.dev/oauth/client-metadata.json',
    'Visual Studio Code',
    'native',
    ['http://127.0.0.1:33418/', 'https://vscode.dev/redirect'],
  ],
];

describe('A-09 pinned documents', () => {
  it.each(clients)('knows %s', (clientId, client_name, application_type, redirect_uris) => {
    expect(findPinnedDocument(clientId)).toMatchObject({
      client_id: clientId,
      client_name,
      redirect_uris,
      application_type,
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    });
    expect(findPinnedDocument(clientId)?.grant_types).toEqual(
      expect.arrayContaining(['authorization_code', 'refresh_token']),
    );
  });

  it('ignores other requests of the documents of Claude and ChatGPT', () => {
    expect(findPinnedDocument(clients[1]?.[0] ?? '')?.grant_types).toEqual(clientGrantTypes);
    expect(findPinnedDocument(CHATGPT)).not.toHaveProperty('token_endpoint_auth_methods_supported');
  });

  it.each([
    'https://claude.ai:443/oauth/claude-code-client-metadata',
    'https://CLAUDE.ai/oauth/claude-code-client-metadata',
    'HTTPS://claude.ai/oauth/claude-code-client-metadata',
    `${CLAUDE_CODE}/`,
    `${CLAUDE_CODE}?x=1`,
    `${CLAUDE_CODE}#x`,
    `${CLAUDE_CODE}\n`,
    ` ${CLAUDE_CODE}`,
    'https://claude.ai.evil.example/oauth/claude-code-client-metadata',
    'https://claude.ai/oauth/%63laude-code-client-metadata',
    'http://claude.ai/oauth/claude-code-client-metadata',
    'https://chatgpt.com/oauth/a.b/client.json',
    'https://chatgpt.com/oauth/../client.json',
    'https://chatgpt.com/oauth//client.json',
    'https://chatgpt.com/oauth/a/b/client.json',
    'https://chatgpt.com/oauth/codex/a/b/client.json',
    `https://chatgpt.com/oauth/${'a'.repeat(65)}/client.json`,
    `https://chatgpt.com/oauth/codex/${'a'.repeat(65)}/client.json`,
    'https://chatgpt.com/oauth/abc/client.json\n',
    'https://chatgptxcom/oauth/abc/client.json',
    'https://chatgpt.com/oauth/abc/clientxjson',
    'constructor',
    '__proto__',
    '',
  ])('takes %j for a different client', (clientId) => {
    expect(findPinnedDocument(clientId)).toBeUndefined();
  });
});

describe('A-13 verified host', () => {
  const verifiedHost = (client_id: string) => describeClient({ client_id }, undefined).verified_host;

  it.each([
    [CLAUDE_CODE, 'claude.ai'],
    ['https://doc.example:8443/client.json', 'doc.example:8443'],
    ['https://DOC.example/client.json?x=1', 'doc.example'],
    ['https://xn--pple-43d.example/c', 'xn--pple-43d.example'],
  ])('of %s is %s', (clientId, host) => expect(verifiedHost(clientId)).toBe(host));

  it.each([
    ...['client_abc', '', 'claude.ai', 'http://claude.ai/x', 'https://claude.ai', 'https://claude.ai/'],
    ...['https://claude.ai@evil.example/x', 'https://claude.ai\\@evil.example/x', 'https://claude.ai/x#y'],
    ...[
      'https://claude.ai/a/../b',
      'https://claude.ai/%2E%2e/b',
      'https://claude.ai/./b',
      'https://claude.ai/a/.',
    ],
    ...['https:///claude.ai/x', 'https://claude.ai/a b', '\thttps://claude.ai/x', 'https://\u0441laude.ai/x'],
    ...[
      'https://claude.ai?/x',
      'https://[::1/x',
      'javascript://claude.ai/x',
      `https://claude.ai/${'a'.repeat(2_000)}`,
    ],
  ])('does not exist for %j', (clientId) => expect(verifiedHost(clientId)).toBeUndefined());
});
