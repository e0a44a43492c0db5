import pg from 'pg';
import { splitDatabaseUrl } from '../../../text/database-url.ts';

/** How long a server may take to answer whether it can be used. */
const PROBE_TIMEOUT_MS = 1_000;

/**
 * Returns a number by which servers are compared, the highest first. Throws if a server cannot be used, or does not
 * answer in time.
 */
export type RateServer = (client: pg.ClientBase) => Promise<number>;

/** The servers of a URL, of which one is used at a time. */
export interface Hosts {
  readonly isOne: boolean;
  /** The address of the server that is used. */
  current(): string;
  /** Looks for the best server, and uses it. Keeps the current one if no server can be used. */
  choose(): Promise<void>;
  /** Throws if a new connection must not be used. */
  admit(client: pg.ClientBase): Promise<void>;
}

/** `onChange` is called when another server is used from now on. */
export function createHosts(url: string, rate: RateServer, onChange: (current: string) => void): Hosts {
  const urls = splitDatabaseUrl(url);
  let current = urls[0] as string;
  let best = 0;
  let choosing: Promise<void> | undefined;

  const choose = async () => {
    const probed = await Promise.all(urls.map((one) => probe(one, rate).catch(() => undefined)));
    const found = probed.filter((one) => one !== undefined).sort((a, b) => b.rating - a.rating)[0];
    if (found === undefined || found.rating < best) return;
    best = found.rating;
    if (found.url === current) return;
    current = found.url;
    onChange(current);
  };
  return {
    isOne: urls.length === 1,
    current: () => current,
    choose() {
      choosing ??= choose().finally(() => {
        choosing = undefined;
      });
      return choosing;
    },
    async admit(client) {
      const rating = await rate(client);
      if (rating < best) throw Object.assign(new Error('The server was replaced.'), { code: '25006' });
      best = rating;
    },
  };
}

async function probe(url: string, rate: RateServer): Promise<{ url: string; rating: number }> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: PROBE_TIMEOUT_MS,
    application_name: 'pdpp',
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return { url, rating: await rate(client) };
  } finally {
    // A server that does not answer may not close the connection either.
    void client.end().catch(() => {});
  }
}
