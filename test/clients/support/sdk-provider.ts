import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OAuthClientProvider, OAuthDiscoveryState } from '@modelcontextprotocol/sdk/client/auth.js';
import type { Desk } from './desk.ts';

/** What an app has to bring to let either SDK sign in: memory, a browser and a door for the answer. */
export interface SdkAccess {
  readonly provider: OAuthClientProvider;
  /** The parameters that the browser brought back. */
  waitForAnswer(): Promise<URLSearchParams>;
  close(): void;
}

export async function createSdkAccess(desk: Desk): Promise<SdkAccess> {
  let keepAnswer: (answer: URLSearchParams) => void;
  const answered = new Promise<URLSearchParams>((resolve) => {
    keepAnswer = resolve;
  });
  const door = createServer((request, response) => {
    response.end('Thank you.');
    keepAnswer(new URL(request.url ?? '/', 'http://127.0.0.1').searchParams);
  });
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  const redirectUrl = `http://127.0.0.1:${(door.address() as AddressInfo).port}/callback`;
  const kept: {
    client?: Awaited<ReturnType<OAuthClientProvider['clientInformation']>>;
    tokens?: Awaited<ReturnType<OAuthClientProvider['tokens']>>;
    verifier?: string;
    discovery?: OAuthDiscoveryState;
  } = {};

  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: { client_name: 'An app of the SDK', redirect_uris: [redirectUrl] },
    clientInformation: () => kept.client,
    saveClientInformation(client) {
      kept.client = client;
    },
    tokens: () => kept.tokens,
    saveTokens(tokens) {
      kept.tokens = tokens;
    },
    codeVerifier: () => kept.verifier ?? '',
    saveCodeVerifier(verifier) {
      kept.verifier = verifier;
    },
    discoveryState: () => kept.discovery,
    saveDiscoveryState(discovery) {
      kept.discovery = discovery;
    },
    redirectToAuthorization(url) {
      spawn(desk.environment.BROWSER as string, [url.href], { stdio: 'ignore' });
    },
    invalidateCredentials(scope) {
      if (scope === 'all' || scope === 'client') delete kept.client;
      if (scope === 'all' || scope === 'tokens') delete kept.tokens;
    },
  };
  return { provider, waitForAnswer: () => answered, close: () => door.close() };
}
