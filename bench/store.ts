import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGrant, revokeGrant } from '../src/grants/grant-store.ts';
import { resolveGrant } from '../src/grants/resolve-grant.ts';
import { loadCatalog } from '../src/schema-index/catalog.ts';
import type { Store } from '../src/store/store.ts';
import type { FillReport } from './fill.ts';
import { takeFingerprint } from './fingerprint.ts';
import { fillFolder, rateOf } from './ingest.ts';
import { openEngine } from './open-engine.ts';
import { type Options, SEED } from './options.ts';

interface Filled extends FillReport {
  readonly fingerprint: string;
}

/** The folder with the demo in it, filled when there is none or when it would be filled differently today. */
export async function ensureStore(options: Options): Promise<FillReport | undefined> {
  const { directory, records } = options;
  const note = join(directory, 'filled.json');
  const filled = existsSync(note) ? (JSON.parse(readFileSync(note, 'utf8')) as Filled) : undefined;
  const fingerprint = await takeFingerprint();
  if (filled?.fingerprint === fingerprint) return filled;
  if (existsSync(join(directory, 'store.sqlite')) && !options.isCached) {
    if (filled !== undefined) console.error('warning: the store was filled by other code than this');
    return undefined;
  }
  console.error(`filling ${records.toLocaleString('en')} records, once; an interrupted fill goes on`);
  // An interrupted fill by the same code goes on where it ended.
  const draft = `${directory}.part-${fingerprint}`;
  const report = await fillFolder(draft, records, SEED, 'demo');
  if (options.isCached) rmSync(directory, { recursive: true, force: true });
  writeFileSync(join(draft, 'filled.json'), JSON.stringify({ ...report, fingerprint } satisfies Filled));
  renameSync(draft, directory);
  console.error(`filled in ${Math.round(report.wallSeconds)} s, ${rateOf(report)} records per CPU second`);
  return report;
}

/** Creates grants over everything, each of another app, for the time of the run. `url` names a database instead of the folder. */
export async function withGrants<T>(
  directory: string,
  count: number,
  work: (tokens: readonly string[]) => Promise<T>,
  url?: string,
): Promise<T> {
  const created = await withOpenStore(directory, url, async (store) => {
    const catalog = await loadCatalog(store.read);
    const connections = catalog.connections.map(({ connection_id }) => ({ connection_id }));
    const { streams } = resolveGrant(catalog, connections);
    const grants: Awaited<ReturnType<typeof createGrant>>[] = [];
    for (let at = 1; at <= count; at++)
      grants.push(await createGrant(store.write, { clientName: `Benchmark ${at}`, streams }, new Date()));
    return grants;
  });
  try {
    return await work(created.map(({ token }) => token));
  } finally {
    await withOpenStore(directory, url, async (store) => {
      for (const { grant } of created) await revokeGrant(store.write, grant.grantId, new Date());
    });
  }
}

export function withGrant<T>(
  directory: string,
  work: (token: string) => Promise<T>,
  url?: string,
): Promise<T> {
  return withGrants(directory, 1, ([token]) => work(token as string), url);
}

async function withOpenStore<T>(
  directory: string,
  url: string | undefined,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const { store, close } = await openEngine(directory, url);
  try {
    return await work(store);
  } finally {
    await close();
  }
}

/** Megabytes on disk, by file. */
export function measureDisk(directory: string): Record<string, number> {
  return Object.fromEntries(
    readdirSync(directory)
      .filter((name) => name.includes('.sqlite'))
      .map((name) => [name, Math.round(statSync(join(directory, name)).size / 1e5) / 10]),
  );
}
