import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openFloor } from './floor.ts';
import { fillFolder } from './ingest.ts';
import { outDirectory, SEED } from './options.ts';

const RECORDS = 2_000;
const TABLES = ['records', 'facets', 'days', 'words'];

/**
 * Returns a fingerprint of a small store filled by the code of this tree or of another one. A cached store with another fingerprint has a different
 * layout and must not be measured.
 */
export async function takeFingerprint(tree?: string): Promise<string> {
  const directory = join(outDirectory, 'fingerprint');
  rmSync(directory, { recursive: true, force: true });
  await fillFolder(directory, RECORDS, SEED, 'demo', tree);
  const db = openFloor(directory);
  const hash = createHash('sha256');
  hash.update(JSON.stringify(db.prepare('select name, sql from sqlite_master order by name').all()));
  hash.update(JSON.stringify(db.prepare('select * from streams order by stream_id').all()));
  for (const table of TABLES)
    hash.update(JSON.stringify(db.prepare(`select * from ${table} order by 1, 2, 3`).all()));
  db.close();
  rmSync(directory, { recursive: true, force: true });
  return hash.digest('hex').slice(0, 16);
}
