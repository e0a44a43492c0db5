import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Store } from '../store/store.ts';
import type { ImportOptions, LoadImporters } from './importer.ts';
import { groupParts } from './open/find-parts.ts';
import { isSystemFile } from './open/input-paths.ts';
import { openInputs } from './open/open-inputs.ts';
import type { OpenProblem } from './open/opened.ts';
import { type FoundExport, importEach, recogniseOpened } from './recognise.ts';
import { type ImportResult, runImport } from './run-import.ts';

export interface Watched {
  /** The name of the file, the folder or the split archive. */
  readonly name: string;
  readonly results: readonly ImportResult[];
  readonly refused?: string;
}

interface WatchOptions {
  readonly loadImporters: LoadImporters;
  readonly options: () => Promise<ImportOptions>;
  readonly now: () => Date;
  readonly onImported: (watched: Watched) => void | Promise<void>;
  readonly signal: AbortSignal;
  readonly everyMs?: number;
}

/** A file, a folder, or all parts of a split archive. */
interface FolderEntry {
  readonly name: string;
  readonly locations: readonly string[];
}

const POLL_MS = 2_000;
const NOT_SUPPORTED = 'is not a supported export';

/**
 * Imports everything in a folder, and everything that appears there, until the signal aborts. Polling works on every kind
 * of disk and shows when a download has stopped growing. Importing a file again changes nothing.
 */
export async function watchFolder(store: Store, folder: string, watch: WatchOptions): Promise<void> {
  const seen = new Map<string, string>();
  const done = new Map<string, string>();
  while (!watch.signal.aborted) {
    for (const entry of listEntries(folder)) {
      const { name } = entry;
      const state = entry.locations.map(describeState).join(', ');
      // Unchanged since the last poll, so nothing is writing to it.
      const isUnchanged = seen.get(name) === state;
      seen.set(name, state);
      if (!isUnchanged || done.get(name) === state || watch.signal.aborted) continue;
      done.set(name, state);
      await watch.onImported(await importEntry(store, entry, watch));
    }
    await wait(watch.everyMs ?? POLL_MS, undefined, { signal: watch.signal }).catch(() => {});
  }
}

async function importEntry(
  store: Store,
  { name, locations }: FolderEntry,
  watch: WatchOptions,
): Promise<Watched> {
  const results: ImportResult[] = [];
  try {
    // A link could point to any file of the owner.
    if (locations.some((location) => lstatSync(location).isSymbolicLink()))
      return { name, results, refused: 'is a symbolic link. Links are not followed.' };
    const opened = await openInputs(locations);
    try {
      const { found } = await recogniseOpened(await watch.loadImporters(), opened);
      if (found.length === 0) return { name, results, refused: opened.problems[0]?.reason ?? NOT_SUPPORTED };
      const { now, signal } = watch;
      const run = { options: await watch.options(), openProblems: opened.problems, now, signal };
      const importOne = (one: FoundExport) => runImport(store, one, run);
      const refuse = ({ path, reason }: OpenProblem) => opened.refuse(path, reason);
      results.push(...(await importEach(found, importOne, refuse)));
      if (results.length === 0)
        return { name, results, refused: opened.problems.at(-1)?.reason ?? NOT_SUPPORTED };
    } finally {
      opened.close();
    }
    return { name, results };
  } catch {
    // A bad file or a full disk must not end the watch.
    return { name, results, refused: 'could not be imported' };
  }
}

/** Lists what can be imported. Leaves out partial downloads, and joins the parts of a split archive. */
function listEntries(folder: string): FolderEntry[] {
  const entries = readEntries(folder)
    .filter(({ name }) => !isSystemFile(name) && !/^\.|\.(part|partial|crdownload|download|tmp)$/i.test(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const label = ({ name }: Dirent) => ({ location: join(folder, name), path: name });
  const folders = entries.filter((entry) => entry.isDirectory()).map(label);
  const inputs = groupParts(entries.filter((entry) => !entry.isDirectory()).map(label));
  return [
    ...folders.map(({ location, path }) => ({ name: path, locations: [location] })),
    ...inputs.map((one) =>
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

/** Returns a text that changes whenever the file, or anything in the folder, changes. */
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
