import { AppError } from '../errors.ts';
import type { Importer, InputFile, Recognised } from './importer.ts';

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
      if (importer.fillsArchive === true && file.pack !== undefined) known.add(file.pack);
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
