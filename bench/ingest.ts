import { spawn } from 'node:child_process';
import { constants, copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { FillKind, FillReport } from './fill.ts';
import { outDirectory, SEED } from './options.ts';

export interface IngestFigures {
  /** Records per CPU second into an empty store. */
  readonly fresh: number;
  readonly freshRecords: number;
  /** The same 10,000 records into a store of 10,000 and into the full one. */
  readonly added: {
    readonly kind: 'apart' | 'between';
    readonly small: number;
    readonly full: number;
  }[];
}

const ADDED = 10_000;
const FRESH = 100_000;

const here = join(import.meta.dirname, '..');

/** Fills a folder in a process of its own, with the code of this tree or of another one. */
export function fillFolder(
  directory: string,
  records: number,
  seed: number,
  kind: FillKind,
  root = here,
  env: Readonly<Record<string, string>> = {},
): Promise<FillReport> {
  const script = join(root, 'bench/fill.ts');
  const args = ['--import', 'tsx', script, directory, String(records), String(seed), kind];
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) resolve(JSON.parse(text) as FillReport);
      else reject(new Error(`filling ended with ${code ?? signal}`));
    });
  });
}

/** Ingest beside a large store is measured on a copy of it, which is removed again. */
export async function measureIngest(fullDirectory: string, records: number): Promise<IngestFigures> {
  const scratch = join(outDirectory, 'ingest');
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { recursive: true });
  try {
    const fresh = await fillFolder(join(scratch, 'fresh'), Math.min(records, FRESH), SEED, 'demo');
    const small = join(scratch, 'small');
    await fillFolder(small, ADDED, SEED, 'demo');
    const full = join(scratch, 'full');
    mkdirSync(full, { mode: 0o700 });
    copyFileSync(join(fullDirectory, 'store.sqlite'), join(full, 'store.sqlite'), constants.COPYFILE_FICLONE);
    const added: IngestFigures['added'] = [];
    for (const kind of ['apart', 'between'] as const) {
      added.push({
        kind,
        small: rateOf(await fillFolder(small, ADDED, SEED + 1, kind)),
        full: rateOf(await fillFolder(full, ADDED, SEED + 1, kind)),
      });
    }
    return { fresh: rateOf(fresh), freshRecords: fresh.records, added };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

export function rateOf({ records, cpuSeconds }: { records: number; cpuSeconds: number }): number {
  return Math.round(records / cpuSeconds);
}

export function addUp(parts: readonly { records: number; cpuSeconds: number }[]) {
  return {
    records: parts.reduce((sum, one) => sum + one.records, 0),
    cpuSeconds: parts.reduce((sum, one) => sum + one.cpuSeconds, 0),
  };
}
