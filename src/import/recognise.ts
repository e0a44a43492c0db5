import { AppError } from '../errors.ts';
import type { Importer, InputFile, Recognised } from './importer.ts';
import { describeForeign } from './open/describe-foreign.ts';
import type { Opened, OpenProblem } from './open/opened.ts';
import { peekText } from './read/decode-text.ts';

/** One export among the inputs, with its importer. */
export interface FoundExport {
  readonly importer: Importer;
  readonly recognised: Recognised;
  /** Returns other formats for its files, for when they cannot be read as this one. */
  instead(): Promise<readonly FoundExport[]>;
}

interface FoundExports {
  readonly found: readonly FoundExport[];
  /** Files of no known format. */
  readonly leftovers: readonly InputFile[];
}

const RANK = { certain: 0, likely: 1, fallback: 2 } as const;

/**
 * Assigns each file to at most one importer: the most certain first, then in list order. A fallback format does not
 * claim files inside a known export.
 */
export async function recogniseInputs(
  importers: readonly Importer[],
  files: readonly InputFile[],
  format?: string,
): Promise<FoundExports> {
  const candidates = importers.filter((importer) => format === undefined || importer.format === format);
  if (candidates.length === 0)
    throw new AppError('invalid_argument', 'Unknown import format.', {
      formats: importers.map((importer) => importer.format),
    });
  const claims: Pick<FoundExport, 'importer' | 'recognised'>[] = [];
  for (const importer of candidates)
    for (const recognised of await importer.recognise(files)) claims.push({ importer, recognised });
  claims.sort((a, b) => RANK[a.recognised.certainty] - RANK[b.recognised.certainty]);
  const taken = new Set<InputFile>();
  const known = new Set<string>();
  const attached = new Set(claims.flatMap(({ recognised }) => recognised.attachmentFolders ?? []));
  const findFile = createFileFinder(files);
  const listFiles = (folder: string) =>
    files.filter(({ path }) => folder === '' || folder === '.' || path.startsWith(`${folder}/`));
  const found = claims.flatMap(({ importer, recognised }) => {
    const isFallback = recognised.certainty === 'fallback' && format === undefined;
    const free = recognised.files.filter(
      (file) =>
        !taken.has(file) &&
        !(isFallback && isInside(file, known)) &&
        (attached.size === 0 || !isInside(file, attached)),
    );
    if (free.length === 0) return [];
    if (recognised.folder !== undefined) known.add(recognised.folder);
    for (const file of free) {
      taken.add(file);
      if (importer.fillsArchive === true && file.archive !== undefined) known.add(file.archive);
      if (recognised.certainty === 'certain') known.add(folderOf(file.path));
    }
    const instead = async () => {
      const others = candidates.filter((other) => other !== importer);
      return others.length === 0 ? [] : (await recogniseInputs(others, free)).found;
    };
    return [{ importer, recognised: { ...recognised, files: free, findFile, listFiles }, instead }];
  });
  return { found, leftovers: files.filter((file) => !taken.has(file)) };
}

function createFileFinder(files: readonly InputFile[]): (path: string) => InputFile | undefined {
  let byPath: Map<string, InputFile> | undefined;
  return (path) => {
    byPath ??= new Map(files.map((file) => [file.path, file]));
    return byPath.get(path);
  };
}

/** Whether the file is in one of the folders, at any depth. */
function isInside(file: InputFile, known: ReadonlySet<string>): boolean {
  for (let folder = folderOf(file.path); folder !== ''; folder = folderOf(folder))
    if (known.has(folder)) return true;
  return false;
}

function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}

/** Recognises opened files. If there is a known reason why a file is not read, the reason becomes a problem. */
export async function recogniseOpened(
  importers: readonly Importer[],
  opened: Opened,
  format?: string,
): Promise<FoundExports> {
  const { found, leftovers } = await recogniseInputs(importers, opened.files, format);
  const unread: InputFile[] = [];
  const reported = new Set<string>();
  for (const file of leftovers) {
    if (await isEmpty(file)) {
      opened.refuse(file.path, 'is empty');
      continue;
    }
    const reason = (await hasOwnEntities(file))
      ? 'is XML that defines its own entities, which is not supported'
      : ((await explain(importers, file)) ?? (found.length === 0 ? await describeForeign(file) : undefined));
    // One export may have thousands of such pages, so each reason is reported once.
    if (reason === undefined || reported.has(reason)) unread.push(file);
    else opened.refuse(file.path, reason);
    if (reason !== undefined) reported.add(reason);
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

/** Whether a file holds only whitespace. A file that is damaged in its archive has its own reason. */
async function isEmpty(file: InputFile): Promise<boolean> {
  if (file.bytes !== undefined && file.bytes > 1_000) return false;
  const text = await peekText(file);
  return /^[\s\ufeff]*$/.test(text) && (file.bytes === undefined || text.length > 0 || file.bytes === 0);
}

/** Entities can expand a kilobyte to a gigabyte or name local files. No export needs them. */
async function hasOwnEntities(file: InputFile): Promise<boolean> {
  const start = Buffer.from((await file.head()).subarray(0, 4)).toString('latin1');
  // The first bytes are checked first, because an export may hold a hundred thousand photos.
  if (!/^(?:\s*<|\xef\xbb\xbf|\xfe\xff|\xff\xfe)/.test(start)) return false;
  return /^\s*<(?:\?xml|!)[\s\S]*<!ENTITY\s/.test(await peekText(file));
}

/** An export without a readable record, so its format was recognised wrongly. Nothing was stored. */
export interface Refusal {
  readonly state: 'refused';
  readonly reason: string;
}

const isRefusal = (result: unknown): result is Refusal =>
  typeof result === 'object' && result !== null && 'state' in result && result.state === 'refused';

/** Imports exports in order. If one is refused, other formats are tried; `refuse` is called if none of them works. */
export async function importEach<T>(
  found: readonly FoundExport[],
  importOne: (one: FoundExport, index: number) => Promise<T | Refusal>,
  refuse: (problem: OpenProblem) => void,
): Promise<T[]> {
  const results: T[] = [];
  /** Returns the reason if no format works. */
  const importOrRetry = async (one: FoundExport): Promise<string | undefined> => {
    const result = await importOne(one, results.length);
    if (!isRefusal(result)) {
      results.push(result);
      return undefined;
    }
    const before = results.length;
    for (const other of await one.instead()) await importOrRetry(other);
    return results.length > before ? undefined : result.reason;
  };
  for (const one of found) {
    const reason = await importOrRetry(one);
    if (reason !== undefined) refuse({ path: one.recognised.files[0]?.path ?? '', reason });
  }
  return results;
}
