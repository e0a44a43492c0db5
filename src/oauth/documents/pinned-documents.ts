import { type ClientDocument, checkDocument } from './check-document.ts';

const codeAndRefresh = ['authorization_code', 'refresh_token'];

const claude = {
  client_uri: 'https://claude.ai',
  token_endpoint_auth_method: 'none',
};

const openai = {
  client_uri: 'https://chatgpt.com/',
  grant_types: codeAndRefresh,
};

const chatgpt = {
  ...openai,
  client_name: 'ChatGPT',
  token_endpoint_auth_method: 'private_key_jwt',
  token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
};

const codex = {
  ...openai,
  client_name: 'Codex',
  token_endpoint_auth_method: 'none',
};

/** The documents as published, without members that we do not use (logos, keys, policies). */
const documents = [
  {
    ...claude,
    client_id: 'https://claude.ai/oauth/claude-code-client-metadata',
    client_name: 'Claude Code',
    redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
    grant_types: codeAndRefresh,
  },
  {
    ...claude,
    client_id: 'https://claude.ai/oauth/mcp-oauth-client-metadata',
    client_name: 'Claude',
    redirect_uris: ['https://claude.ai/api/mcp/auth_callback', 'https://claude.com/api/mcp/auth_callback'],
    grant_types: [...codeAndRefresh, 'urn:ietf:params:oauth:grant-type:jwt-bearer'],
  },
  {
    ...chatgpt,
    client_id: 'https://chatgpt.com/oauth/client.json',
    redirect_uris: ['https://chatgpt.com/connector_platform_oauth_redirect'],
  },
  {
    ...codex,
    client_id: 'https://chatgpt.com/oauth/codex/client.json',
    redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
  },
  {
    client_id: 'https://github.com/copilot/cli/client-metadata.json',
    client_name: 'GitHub Copilot CLI',
    // Published with `/` at 127.0.0.1 only; newer versions call back at /callback.
    redirect_uris: [
      'http://127.0.0.1/',
      'http://127.0.0.1/callback',
      'http://localhost/',
      'http://localhost/callback',
    ],
    grant_types: codeAndRefresh,
    token_endpoint_auth_method: 'none',
  },
  {
    client_id: 'https://vscode.dev/oauth/client-metadata.json',
    client_name: 'Visual Studio Code',
    client_uri: 'https://vscode.dev/product',
    redirect_uris: ['http://127.0.0.1:33418/', 'https://vscode.dev/redirect'],
    grant_types: [...codeAndRefresh, 'urn:ietf:params:oauth:grant-type:device_code'],
    token_endpoint_auth_method: 'none',
  },
];

const pinned: ReadonlyMap<string, ClientDocument> = new Map(
  documents.map((document) => [document.client_id, checkDocument(document.client_id, document)]),
);

/**
 * OpenAI creates one document for each server, unless the server returns `iss`. The caller chooses the id, but it always
 * leads back to chatgpt.com or to the caller's own computer.
 */
const CHATGPT_CALLBACK = /^https:\/\/chatgpt\.com\/oauth\/([A-Za-z0-9_-]{1,64})\/client\.json$/;
const CODEX_CALLBACK = /^https:\/\/chatgpt\.com\/oauth\/codex\/([A-Za-z0-9_-]{1,64})\/client\.json$/;

/**
 * Returns the reviewed copy of a well-known client's document. Exact ids come before patterns: otherwise Codex would be
 * a ChatGPT callback named "codex".
 */
export function findPinnedDocument(clientId: string): ClientDocument | undefined {
  return pinned.get(clientId) ?? findCallbackDocument(clientId);
}

function findCallbackDocument(clientId: string): ClientDocument | undefined {
  const connector = CHATGPT_CALLBACK.exec(clientId)?.[1];
  if (connector !== undefined) {
    const redirect_uris = [`https://chatgpt.com/connector/oauth/${connector}`];
    return checkDocument(clientId, { ...chatgpt, client_id: clientId, redirect_uris });
  }
  const hash = CODEX_CALLBACK.exec(clientId)?.[1];
  if (hash !== undefined) {
    const redirect_uris = [`http://localhost/callback/${hash}`, `http://127.0.0.1/callback/${hash}`];
    return checkDocument(clientId, { ...codex, client_id: clientId, redirect_uris });
  }
  return undefined;
}
