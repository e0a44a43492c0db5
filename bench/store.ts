import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGrant, revokeGrant } from '../src/grants/grant-store.ts';
import { resolveGrant } from '../src/grants/resolve-grant.ts';
import { loadCatalog } from '../src/schema-index/catalog.ts';
import { openStore } from '../src/store/sqlite/open-store.ts';
import type { Store } from '../src/store/store.ts';
import type { FillReport } from './fill.ts';
import { takeFingerprint } from './fingerprint.ts';
import { fillFolder, rateOf } from './ingest.ts';
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
  console.error(`filling ${records.toLocaleString('en')} records, once`);
  const draft = `${directory}.part`;
  rmSync(draft, { recursive: true, force: true });
  const report = await fillFolder(draft, records, SEED, 'demo');
  if (options.isCached) rmSync(directory, { recursive: true, force: true });
  writeFileSync(join(draft, 'filled.json'), JSON.stringify({ ...report, fingerprint } satisfies Filled));
  renameSync(draft, directory);
  console.error(`filled in ${Math.round(report.wallSeconds)} s, ${rateOf(report)} records per CPU second`);
  return report;
}

/** A grant over everything for the time of the run. */
export async function withGrant<T>(directory: string, work: (token: string) => Promise<T>): Promise<T> {
  const { token, grantId } = await withOpenStore(directory, async (store) => {
    const catalog = await loadCatalog(store.read);
    const { streams } = resolveGrant(
      catalog,
      catalog.connections.map(({ connection_id }) => ({ connection_id })),
    );
    const made = await createGrant(store.write, { clientName: 'Benchmark', streams }, new Date());
    return { token: made.token, grantId: made.grant.grantId };
  });
  try {
    return await work(token);
  } finally {
    await withOpenStore(directory, (store) => revokeGrant(store.write, grantId, new Date()));
  }
}

async function withOpenStore<T>(directory: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(directory);
  try {
    return await work(store);
  } finally {
    store.close();
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
