import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Store } from '../store/store.ts';
import type { ImportOptions, LoadImporters } from './importer.ts';
import { groupParts } from './open/find-parts.ts';
import { openInputs } from './open/open-inputs.ts';
import type { OpenProblem } from './open/opened.ts';
import { isWorthless } from './open/path-rules.ts';
import { type FoundExport, importEach, recogniseOpened } from './recognise.ts';
import { type ImportResult, runImport } from './run-import.ts';

export interface Watched {
  /** The name of the file or folder that appeared, or of the pack whose parts did. */
  readonly name: string;
  readonly results: readonly ImportResult[];
  readonly refused?: string;
}

export interface WatchOptions {
  readonly loadImporters: LoadImporters;
  readonly options: () => Promise<ImportOptions>;
  readonly now: () => Date;
  readonly onImported: (watched: Watched) => void | Promise<void>;
  readonly signal: AbortSignal;
  readonly everyMs?: number;
}

/** What is imported as one: a file, a folder, or all parts of a pack. */
interface Appeared {
  readonly name: string;
  readonly locations: readonly string[];
}

const EVERY_MS = 2_000;

/**
 * Imports what appears in a folder, until the signal comes. Looked at every few seconds rather than listened to: that
 * works on every kind of disk, and a download is taken only once it has stopped growing. What lies there at the
 * start is taken too; importing it again changes nothing.
 */
export async function watchFolder(store: Store, folder: string, watch: WatchOptions): Promise<void> {
  const seen = new Map<string, string>();
  const done = new Map<string, string>();
  while (!watch.signal.aborted) {
    for (const one of listAppeared(folder)) {
      const { name } = one;
      const state = one.locations.map(describeState).join(', ');
      // The same as the last time it was looked at: nobody is writing to it.
      const isStill = seen.get(name) === state;
      seen.set(name, state);
      if (!isStill || done.get(name) === state || watch.signal.aborted) continue;
      done.set(name, state);
      await watch.onImported(await importAppeared(store, one, watch));
    }
    await wait(watch.everyMs ?? EVERY_MS, undefined, { signal: watch.signal }).catch(() => {});
  }
}

async function importAppeared(
  store: Store,
  { name, locations }: Appeared,
  watch: WatchOptions,
): Promise<Watched> {
  const results: ImportResult[] = [];
  try {
    // Whoever may put a link here must not choose which of the owner's files are read.
    if (locations.some((location) => lstatSync(location).isSymbolicLink()))
      return { name, results, refused: 'is a link, which is not followed' };
    const opened = await openInputs(locations);
    try {
      const { found } = await recogniseOpened(await watch.loadImporters(), opened);
      if (found.length === 0)
        return { name, results, refused: opened.problems[0]?.reason ?? 'is no export that can be read' };
      const { now, signal } = watch;
      const run = { options: await watch.options(), openProblems: opened.problems, now, signal };
      const importOne = (one: FoundExport) => runImport(store, one, run);
      const refuse = ({ path, reason }: OpenProblem) => opened.refuse(path, reason);
      results.push(...(await importEach(found, importOne, refuse)));
      if (results.length === 0)
        return { name, results, refused: opened.problems.at(-1)?.reason ?? 'is no export that can be read' };
    } finally {
      opened.close();
    }
    return { name, results };
  } catch {
    // One bad file, or a full disk for a while, must not end the watch.
    return { name, results, refused: 'could not be imported' };
  }
}

/** What browsers and copying programs are still writing has a name that says so. Parts of a pack are one thing. */
function listAppeared(folder: string): Appeared[] {
  const entries = readEntries(folder)
    .filter(({ name }) => !isWorthless(name) && !/^\.|\.(part|partial|crdownload|download|tmp)$/i.test(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const label = ({ name }: Dirent) => ({ location: join(folder, name), path: name });
  const folders = entries.filter((entry) => entry.isDirectory()).map(label);
  const given = groupParts(entries.filter((entry) => !entry.isDirectory()).map(label));
  return [
    ...folders.map(({ location, path }) => ({ name: path, locations: [location] })),
    ...given.map((one) =>
      one.kind === 'parts'
        ? { name: one.path, locations: one.parts.map(({ location }) => location) }
        : { name: one.file.path, locations: [one.file.location] },
    ),
  ];
}

function readEntries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Changes whenever the file, or anything in the folder, does. */
function describeState(path: string): string {
  try {
    const found = lstatSync(path);
    if (!found.isDirectory()) return `${found.size} ${found.mtimeMs}`;
    const inside = readdirSync(path, { recursive: true, withFileTypes: true });
    const states = inside.map((entry) => {
      const { size, mtimeMs } = lstatSync(join(entry.parentPath, entry.name));
      return `${size} ${mtimeMs}`;
    });
    return `${inside.length} ${states.join(' ')}`;
  } catch {
    return 'gone';
  }
}
