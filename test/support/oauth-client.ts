import { createHash, randomBytes, scryptSync } from 'node:crypto';
import { type Browser, createBrowser, type FormChange, type Page } from './browser.ts';
import { ORIGIN, type World } from './world.ts';

export const PASSPHRASE = 'correct horse battery staple';
export const CALLBACK = 'http://127.0.0.1:5555/callback';

/** As much of a world as an app and a browser see of it. */
type Server = Pick<World, 'request'> & { readonly origin?: string };

/** The owner's passphrase at a cost that a test can pay a hundred times over; at the real one, hashing was most of what these tests did. */
export function setCheapPassphrase({ store }: Pick<World, 'store'>): Promise<void> {
  return store.write.owner.savePassphrase(CHEAP_PASSPHRASE, LONG_AGO);
}

const LONG_AGO = '1970-01-01T00:00:00.000Z';
const SALT = Buffer.alloc(16, 1);
const COST = { N: 1_024, r: 1, p: 1 };
const KEY = scryptSync(PASSPHRASE, SALT, 32, COST);
/** The derived passphrase as a store keeps it. */
export const CHEAP_PASSPHRASE = [
  'scrypt',
  ...Object.values(COST),
  SALT.toString('base64'),
  KEY.toString('base64'),
].join('$');

/** A browser in which the owner has signed in. */
export async function createOwnerBrowser(world: Pick<World, 'request' | 'store'>): Promise<Browser> {
  await setCheapPassphrase(world);
  return signIn(world);
}

export async function signIn(world: Server): Promise<Browser> {
  const { origin = ORIGIN } = world;
  const browser = createBrowser(world.request, origin);
  const page = await browser.submit(await browser.open('/login'), { passphrase: PASSPHRASE });
  if (!page.url.startsWith(`${origin}/dashboard`)) throw new Error(`not signed in: ${page.text}`);
  return browser;
}

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
  readonly token_type: string;
  readonly scope: string;
  readonly authorization_details?: unknown[];
}

/** An OAuth client as the field has them: public, PKCE, one loopback redirect. */
export class OAuthClient {
  readonly #world: Server;
  readonly #origin: string;
  readonly clientId: string;
  readonly redirectUri: string;

  constructor(world: Server, clientId: string, redirectUri = CALLBACK) {
    this.#world = world;
    this.#origin = world.origin ?? ORIGIN;
    this.clientId = clientId;
    this.redirectUri = redirectUri;
  }

  static async register(world: Server, metadata: Record<string, unknown> = {}): Promise<OAuthClient> {
    const redirect_uris = (metadata.redirect_uris as string[] | undefined) ?? [CALLBACK];
    const response = await register(world, { client_name: 'Test app', redirect_uris, ...metadata });
    const { client_id } = (await response.json()) as { client_id: string };
    return new OAuthClient(world, client_id, redirect_uris[0]);
  }

  /** The address the owner's browser is sent to, and the verifier that goes with it. */
  startUrl(change: Record<string, string | undefined> = {}): {
    url: string;
    verifier: string;
    state: string;
  } {
    const verifier = randomBytes(32).toString('base64url');
    const state = randomBytes(8).toString('hex');
    const params = {
      client_id: this.clientId,
      redirect_uri: this.redirectUri,
      response_type: 'code',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      state,
      scope: 'pdpp:read offline_access',
      resource: `${this.#origin}/mcp`,
      ...change,
    };
    const query = new URLSearchParams(
      Object.entries(params).flatMap(([name, value]): [string, string][] =>
        value === undefined ? [] : [[name, value]],
      ),
    );
    return { url: `${this.#origin}/oauth/authorize?${query}`, verifier, state: change.state ?? state };
  }

  /** Goes through sign-in and consent as the owner would, up to the code. */
  async approve(browser: Browser, form: FormChange = {}, change: Record<string, string | undefined> = {}) {
    const { url, verifier, state } = this.startUrl(change);
    const asked = await browser.open(url);
    // Nothing is ticked for an app that named itself. Whoever does not say what, gives what it asked for by name, or
    // what is not sensitive.
    const { preset = 'authorization_details' in change ? 'everything' : 'ordinary', ...choices } = form;
    const page = 'stream' in form ? asked : await browser.submit(asked, { preset });
    const done = await browser.submit(page, { decision: 'approve', ...choices });
    return { ...readAnswer(done), page, done, verifier, state };
  }

  async token(params: Record<string, string>): Promise<Response> {
    return this.#world.request('/oauth/token', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ client_id: this.clientId, ...params }).toString(),
    });
  }

  redeem(code: string, verifier: string): Promise<Response> {
    return this.token({
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      redirect_uri: this.redirectUri,
      resource: `${this.#origin}/mcp`,
    });
  }

  refresh(refreshToken: string): Promise<Response> {
    return this.token({ grant_type: 'refresh_token', refresh_token: refreshToken });
  }

  /** The whole way in. */
  async connect(browser: Browser, form: FormChange = {}, change: Record<string, string | undefined> = {}) {
    const { code, verifier, done } = await this.approve(browser, form, change);
    if (code === undefined) throw new Error(`no code: ${done.status} ${done.url} ${done.text}`);
    const response = await this.redeem(code, verifier);
    const tokens = (await response.json()) as Tokens;
    if (tokens.access_token === undefined) throw new Error(JSON.stringify(tokens));
    return tokens;
  }
}

export function register(world: Server, metadata: unknown): Promise<Response> {
  return world.request('/oauth/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(metadata),
  });
}

/** What came back in the redirect to the client. */
export function readAnswer(page: Page) {
  const query = new URL(page.url).searchParams;
  const get = (name: string) => query.get(name) ?? undefined;
  return { code: get('code'), error: get('error'), iss: get('iss'), returnedState: get('state') };
}
