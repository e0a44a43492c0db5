import { randomBytes } from 'node:crypto';
import {
  type Client,
  type FetchLike,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { askOwner, type OwnerContact } from './ask-owner.ts';
import {
  type Credentials,
  checkPage,
  checkPkce,
  checkRegistration,
  checkSignIn,
  describeApp,
  type KnownClient,
  type SignInServer,
  toCredentials,
} from './check-sign-in.ts';
import { ClientError } from './client-error.ts';
import { type LoopbackListener, listenOnLoopback } from './loopback-listener.ts';
import { createClient } from './mcp-client.ts';

/** One more than needed: a server may ask for a wider scope, or have moved to another issuer, once. */
const MAX_SIGN_INS = 2;

/**
 * Signs in with the owner's browser, because the server asked for it, and goes on with what was to be
 * done there. The SDK leads through the protocol; what it finds on the way is checked here.
 */
export async function signInByBrowser<T>(
  server: URL,
  contact: OwnerContact,
  fetchFn: FetchLike,
  known: KnownClient | undefined,
  work: (client: Client) => Promise<T>,
): Promise<{ credentials: Credentials; result: T }> {
  const listener = await listenOnLoopback();
  const signIn = new SignIn(server, listener, contact, known);
  try {
    for (;;) {
      const transport = new StreamableHTTPClientTransport(server, { authProvider: signIn, fetch: fetchFn });
      const client = createClient();
      try {
        await client.connect(transport);
        const result = await work(client);
        return { credentials: signIn.credentials, result };
      } catch (error) {
        if (!(error instanceof UnauthorizedError)) throw error;
        await transport.finishAuth(await signIn.takeAnswer());
        signIn.forgetDiscovery();
      } finally {
        await client.close();
      }
    }
  } finally {
    listener.close();
  }
}

/** What the SDK asks while signing in. It lives as long as one `pdpp connect`. */
class SignIn implements OAuthClientProvider {
  readonly redirectUrl: string;
  readonly clientMetadata: OAuthClientMetadata;
  readonly #server: URL;
  readonly #known: KnownClient | undefined;
  readonly #ask: (page: URL, state: string) => Promise<URLSearchParams>;
  #signIns = 0;
  #state = '';
  #verifier = '';
  #answer: Promise<URLSearchParams> | undefined;
  #discovery: OAuthDiscoveryState | undefined;
  #signInServer: SignInServer | undefined;
  #client: StoredOAuthClientInformation | undefined;
  #tokens: StoredOAuthTokens | undefined;

  constructor(
    server: URL,
    listener: LoopbackListener,
    contact: OwnerContact,
    known: KnownClient | undefined,
  ) {
    this.redirectUrl = listener.redirectUrl;
    this.clientMetadata = describeApp(this.redirectUrl, ['authorization_code', 'refresh_token']);
    this.#server = server;
    this.#known = known;
    this.#ask = (page, state) => askOwner(page, state, listener, contact);
  }

  get credentials(): Credentials {
    if (this.#tokens === undefined || this.#client === undefined || this.#signInServer === undefined) {
      throw new ClientError('nothing_to_connect', 'The server does not ask anybody to sign in.', {
        hint: 'There is nothing to connect, and nothing was stored.',
      });
    }
    return toCredentials(this.#server, this.#signInServer, this.#client, this.#tokens);
  }

  state(): string {
    this.#state = randomBytes(24).toString('base64url');
    return this.#state;
  }

  async redirectToAuthorization(page: URL): Promise<void> {
    if (++this.#signIns > MAX_SIGN_INS)
      throw new ClientError('sign_in_refused', 'The server keeps asking to sign in again.');
    checkPage(page.href, this.#signInServer?.issuer ?? '', this.#server);
    this.#answer = this.#ask(page, this.#state);
    // It is waited for later; until then a failure is not unheard.
    this.#answer.catch(() => {});
  }

  async takeAnswer(): Promise<URLSearchParams> {
    if (this.#answer === undefined)
      throw new ClientError('sign_in_refused', 'The server refused to sign in.');
    const answer = await this.#answer;
    this.#answer = undefined;
    return answer;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#signInServer = checkSignIn(this.#server, state);
    checkPkce(this.#signInServer);
    if (this.#known === undefined) checkRegistration(this.#signInServer);
    // It is known to the first issuer, and not shown to another one that the server may name later.
    if (this.#known !== undefined) this.#client ??= { ...this.#known, issuer: this.#signInServer.issuer };
    this.#discovery = state;
  }

  /** Kept from the question to its answer, which must come from where the question went. */
  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovery;
  }

  /** The next time the server asks, it may name another issuer. */
  forgetDiscovery(): void {
    this.#discovery = undefined;
  }

  clientInformation(): StoredOAuthClientInformation | undefined {
    return this.#client;
  }

  saveClientInformation(client: StoredOAuthClientInformation): void {
    this.#client = client;
  }

  tokens(): StoredOAuthTokens | undefined {
    return this.#tokens;
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    this.#tokens = tokens;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }
}
