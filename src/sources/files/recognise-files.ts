import type { Importer, ImportItem, ImportOptions, InputFile, Recognised } from '../../import/importer.ts';
import { peekText } from '../../import/read/decode-text.ts';
import { outlineJson } from './outline-json.ts';

/** The beginning of a file, decoded once for all importers. */
export interface FileProbe {
  readonly path: string;
  readonly text: string;
  /** The paths in its JSON. Empty for other files. */
  readonly outline: ReadonlySet<string>;
}

// A WeakMap, because the importers that share a probe share nothing but the file.
const probes = new WeakMap<InputFile, Promise<FileProbe>>();

export function probeFile(file: InputFile): Promise<FileProbe> {
  const known = probes.get(file);
  if (known !== undefined) return known;
  const probe = peekText(file).then((text) => ({ path: file.path, text, outline: outlineJson(text) }));
  probes.set(file, probe);
  return probe;
}

export interface ExportFile<Kind extends string> {
  readonly file: InputFile;
  readonly kind: Kind;
}

/** Returns the files that belong to an export. `detectKind` returns undefined for other files. */
export async function findExportFiles<Kind extends string>(
  files: readonly InputFile[],
  detectKind: (probe: FileProbe) => Kind | undefined,
): Promise<ExportFile<Kind>[]> {
  const found: ExportFile<Kind>[] = [];
  for (const file of files) {
    const kind = detectKind(await probeFile(file));
    if (kind !== undefined) found.push({ file, kind });
  }
  return found;
}

/** Groups all files in one connection, for exports that do not name their account. */
export function recogniseTogether(
  found: readonly ExportFile<string>[],
  certainty: Recognised['certainty'] = 'certain',
): Recognised[] {
  return found.length === 0 ? [] : [{ files: found.map(({ file }) => file), certainty }];
}

type ReadFile = (options: ImportOptions) => AsyncIterable<ImportItem>;

/** Recognises and reads each file on its own. `findReader` returns undefined for files of other formats. */
export function readFileByFile(
  findReader: (file: InputFile) => Promise<ReadFile | undefined>,
): Pick<Importer, 'recognise' | 'read'> {
  return {
    async recognise(files) {
      const found: InputFile[] = [];
      for (const file of files) if ((await findReader(file)) !== undefined) found.push(file);
      return found.length === 0 ? [] : [{ files: found, certainty: 'certain' }];
    },
    async *read({ files }, options) {
      for (const file of files) yield* (await findReader(file))?.(options) ?? [];
    },
  };
}

/** Groups the files that `isOwn` accepts in one connection. */
export async function recogniseFiles(
  files: readonly InputFile[],
  isOwn: (file: InputFile) => Promise<boolean>,
): Promise<Recognised[]> {
  const own: InputFile[] = [];
  for (const file of files) if (await isOwn(file)) own.push(file);
  return own.length === 0 ? [] : [{ files: own, certainty: 'certain' }];
}

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);

/**
 * Groups files by account. A file belongs to the account whose own file is nearest in its folder or above. If the
 * files name only one account, all belong to it: an export in several parts names its account once.
 */
export async function recogniseByAccount<Kind extends string>(
  found: readonly ExportFile<Kind>[],
  findAccount: (file: ExportFile<Kind>) => Promise<string | undefined>,
  certainty: Recognised['certainty'] = 'certain',
): Promise<Recognised[]> {
  const accounts: { folder: string; account: string }[] = [];
  for (const one of found) {
    const account = await findAccount(one);
    if (account !== undefined) accounts.push({ folder: folderOf(one.file.path), account });
  }
  const names = [...new Set(accounts.map(({ account }) => account))];
  const only = names.length === 1 ? names[0] : undefined;
  // The deepest folder is the nearest one.
  accounts.sort((a, b) => b.folder.length - a.folder.length);
  const groups = new Map<string | undefined, InputFile[]>();
  for (const { file } of found) {
    const account = only ?? accounts.find(({ folder }) => file.path.startsWith(folder))?.account;
    groups.set(account, [...(groups.get(account) ?? []), file]);
  }
  return [...groups].map(([account, files]) => ({
    files,
    certainty,
    ...(account === undefined ? {} : { account }),
  }));
}
