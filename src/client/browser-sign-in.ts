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
  checkIssuerUrl,
  checkPkce,
  checkRegistration,
  checkSignIn,
  createClientMetadata,
  type KnownClient,
  type SignInServer,
  toCredentials,
} from './check-sign-in.ts';
import { ClientError } from './client-error.ts';
import { type LoopbackListener, listenOnLoopback } from './loopback-listener.ts';
import { createClient } from './mcp-client.ts';

/** Allows one repetition: a server may ask for a wider scope or name another issuer once. */
const MAX_SIGN_INS = 2;

/**
 * Calls `work` with a client of the server. If the server asks for it, signs in with the owner's browser. Checks what the
 * SDK discovers.
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

/** The state of one sign-in, in the form that the SDK asks for. */
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
    this.clientMetadata = createClientMetadata(this.redirectUrl, ['authorization_code', 'refresh_token']);
    this.#server = server;
    this.#known = known;
    this.#ask = (page, state) => askOwner(page, state, listener, contact);
  }

  get credentials(): Credentials {
    if (this.#tokens === undefined || this.#client === undefined || this.#signInServer === undefined) {
      throw new ClientError('nothing_to_connect', 'The server does not require sign-in.', {
        hint: 'Nothing was stored. You can use the server without connecting first.',
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
      throw new ClientError('sign_in_refused', 'The server keeps asking for a new sign-in.');
    checkIssuerUrl(page.href, this.#signInServer?.issuer ?? '', this.#server);
    this.#answer = this.#ask(page, this.#state);
    // Awaited later; prevents an unhandled rejection until then.
    this.#answer.catch(() => {});
  }

  async takeAnswer(): Promise<URLSearchParams> {
    if (this.#answer === undefined)
      throw new ClientError('sign_in_refused', 'The server refused the sign-in.');
    const answer = await this.#answer;
    this.#answer = undefined;
    return answer;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#signInServer = checkSignIn(this.#server, state);
    checkPkce(this.#signInServer);
    if (this.#known === undefined) checkRegistration(this.#signInServer);
    // Binds the client to the first issuer: an issuer that is named later must not see its secret.
    if (this.#known !== undefined) this.#client ??= { ...this.#known, issuer: this.#signInServer.issuer };
    this.#discovery = state;
  }

  /** Returns the discovered issuer, which is kept until the answer arrives: both must have the same issuer. */
  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovery;
  }

  /** Lets the server name another issuer next time. */
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
