import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { accessSchema } from '../../src/store/postgres/schema/access.ts';
import { recordsSchema } from '../../src/store/postgres/schema/records.ts';
import { wordsSchema } from '../../src/store/postgres/schema/words.ts';
import type { FillReport } from '../fill.ts';
import { takeFingerprint } from '../fingerprint.ts';
import { fillFolder } from '../ingest.ts';
import { type Options, outDirectory, SEED } from '../options.ts';
import type { Cluster } from './cluster.ts';

/** How a database was filled. */
export interface PostgresFill extends FillReport {
  readonly fingerprint: string;
  /** CPU seconds of all processes of PostgreSQL. */
  readonly databaseCpuSeconds: number;
  readonly megabytes: number;
}

export interface FilledDatabase {
  readonly url: string;
  readonly fill: PostgresFill;
}

/** Returns the database with the demo in it. It is filled when there is none or when it would be filled differently today. */
export async function ensureDatabase(cluster: Cluster, { records }: Options): Promise<FilledDatabase> {
  const name = `bench_${records}`;
  const note = join(outDirectory, `${name}.json`);
  const schema = createHash('sha256')
    .update(accessSchema + recordsSchema + wordsSchema)
    .digest('hex');
  const fingerprint = `${await takeFingerprint()}-${schema.slice(0, 16)}`;
  const known = existsSync(note) ? (JSON.parse(readFileSync(note, 'utf8')) as PostgresFill) : undefined;
  if (known?.fingerprint === fingerprint) return { url: await cluster.createDatabase(name), fill: known };
  console.error(`filling PostgreSQL with ${records.toLocaleString('en')} records, once`);
  await cluster.dropDatabase(name);
  const url = await cluster.createDatabase(name);
  const fill = { ...(await measureFill(cluster, url, records)), fingerprint };
  writeFileSync(note, JSON.stringify(fill));
  return { url, fill };
}

/** Fills an empty database. */
export async function measureFill(
  cluster: Cluster,
  url: string,
  records: number,
): Promise<Omit<PostgresFill, 'fingerprint'>> {
  const folder = join(outDirectory, 'fill-postgres');
  rmSync(folder, { recursive: true, force: true });
  const before = cluster.readCpu();
  const report = await fillFolder(folder, records, SEED, 'demo', undefined, { BENCH_DATABASE_URL: url });
  const databaseCpuSeconds = (cluster.readCpu() - before) / 1_000;
  rmSync(folder, { recursive: true, force: true });
  return { ...report, databaseCpuSeconds, megabytes: await cluster.measureDatabase(url) };
}
