import { AppError } from '../errors.ts';
import type { Importer, InputFile, Recognised } from './importer.ts';
import type { Opened, OpenProblem } from './open/opened.ts';
import { peekText } from './read/decode-text.ts';

/** One export among what was given, and who reads it. */
export interface FoundExport {
  readonly importer: Importer;
  readonly recognised: Recognised;
  /** What its files are taken for where nothing in them can be read as this. */
  instead(): Promise<readonly FoundExport[]>;
}

export interface FoundExports {
  readonly found: readonly FoundExport[];
  /** Files that nobody reads. */
  readonly leftovers: readonly InputFile[];
}

const RANK = { certain: 0, likely: 1, fallback: 2 } as const;

/**
 * Asks every importer for its own. The more certain has a file first, then the order of the list; no file is read
 * twice. What anything could be is not made of what lies inside an export that is known: it is left over.
 */
export async function recogniseInputs(
  importers: readonly Importer[],
  files: readonly InputFile[],
  format?: string,
): Promise<FoundExports> {
  const asked = importers.filter((importer) => format === undefined || importer.format === format);
  if (asked.length === 0) {
    throw new AppError('invalid_argument', 'There is no importer of that name.', {
      formats: importers.map((importer) => importer.format),
    });
  }
  const claims: Pick<FoundExport, 'importer' | 'recognised'>[] = [];
  for (const importer of asked) {
    for (const recognised of await importer.recognise(files)) claims.push({ importer, recognised });
  }
  claims.sort((a, b) => RANK[a.recognised.certainty] - RANK[b.recognised.certainty]);
  const taken = new Set<InputFile>();
  const known = new Set<string>();
  const found = claims.flatMap(({ importer, recognised }) => {
    const isFallback = recognised.certainty === 'fallback' && format === undefined;
    const free = recognised.files.filter(
      (file) => !taken.has(file) && !(isFallback && isInside(file, known)),
    );
    if (free.length === 0) return [];
    if (recognised.folder !== undefined) known.add(recognised.folder);
    for (const file of free) {
      taken.add(file);
      if (importer.fillsArchive === true && file.archive !== undefined) known.add(file.archive);
      if (recognised.certainty === 'certain') known.add(folderOf(file.path));
    }
    const instead = async () => {
      const others = asked.filter((other) => other !== importer);
      return others.length === 0 ? [] : (await recogniseInputs(others, free)).found;
    };
    return [{ importer, recognised: { ...recognised, files: free }, instead }];
  });
  return { found, leftovers: files.filter((file) => !taken.has(file)) };
}

/** Whether the file lies in a folder of a known export, or below one. What was given by itself lies in none. */
function isInside(file: InputFile, known: ReadonlySet<string>): boolean {
  for (let folder = folderOf(file.path); folder !== ''; folder = folderOf(folder))
    if (known.has(folder)) return true;
  return false;
}

function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}

/** Recognises what was opened. Of files that nobody reads for a reason of ours, the reason is among the problems. */
export async function recogniseOpened(
  importers: readonly Importer[],
  opened: Opened,
  format?: string,
): Promise<FoundExports> {
  const { found, leftovers } = await recogniseInputs(importers, opened.files, format);
  const unread: InputFile[] = [];
  const told = new Set<string>();
  for (const file of leftovers) {
    if (await isEmpty(file)) {
      opened.refuse(file.path, 'is empty');
      continue;
    }
    const reason = (await hasOwnEntities(file))
      ? 'is XML with entities of its own, which is not read'
      : await explain(importers, file);
    // There may be thousands of pages of one export; why they are not read is said once.
    if (reason === undefined || told.has(reason)) unread.push(file);
    else opened.refuse(file.path, reason);
    if (reason !== undefined) told.add(reason);
  }
  return { found, leftovers: unread };
}

async function explain(importers: readonly Importer[], file: InputFile): Promise<string | undefined> {
  for (const importer of importers) {
    const reason = await importer.explain?.(file);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Whether there is nothing in a file but blanks. One that breaks off in its pack has a reason of its own. */
async function isEmpty(file: InputFile): Promise<boolean> {
  if (file.bytes !== undefined && file.bytes > 1_000) return false;
  const text = await peekText(file);
  return /^[\s\ufeff]*$/.test(text) && (file.bytes === undefined || text.length > 0 || file.bytes === 0);
}

/** Entities can make a gigabyte of a kilobyte, or name files of this machine; no export needs them. */
async function hasOwnEntities(file: InputFile): Promise<boolean> {
  const begun = Buffer.from((await file.head()).subarray(0, 4)).toString('latin1');
  // Looked for by the first bytes first: there may be a hundred thousand photos.
  if (!/^(?:\s*<|\xef\xbb\xbf|\xfe\xff|\xff\xfe)/.test(begun)) return false;
  return /^\s*<(?:\?xml|!)[\s\S]*<!ENTITY\s/.test(await peekText(file));
}

/** An export in which nothing can be read, so that it is not what it was taken for. Nothing was stored. */
export interface Refusal {
  readonly state: 'refused';
  readonly reason: string;
}

const isRefusal = (result: unknown): result is Refusal =>
  typeof result === 'object' && result !== null && 'state' in result && result.state === 'refused';

/**
 * Imports exports in their order. Where one is refused, its files are taken for what they could be instead. `refuse`
 * is told of those that are nothing else either.
 */
export async function importEach<T>(
  found: readonly FoundExport[],
  importOne: (one: FoundExport, index: number) => Promise<T | Refusal>,
  refuse: (problem: OpenProblem) => void,
): Promise<T[]> {
  const results: T[] = [];
  /** Whether anything came of it. */
  const take = async (one: FoundExport): Promise<string | undefined> => {
    const result = await importOne(one, results.length);
    if (!isRefusal(result)) {
      results.push(result);
      return undefined;
    }
    const before = results.length;
    for (const other of await one.instead()) await take(other);
    return results.length > before ? undefined : result.reason;
  };
  for (const one of found) {
    const reason = await take(one);
    if (reason !== undefined) refuse({ path: one.recognised.files[0]?.path ?? '', reason });
  }
  return results;
}
