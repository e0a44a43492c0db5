/** A file on disk with the name that messages use. */
export interface Labelled {
  readonly location: string;
  readonly path: string;
}

/** An archive that was split into several files, in order. */
export interface SplitArchive {
  readonly kind: 'parts';
  readonly path: string;
  /** `zip`: split by a zip program, whose entries name positions per part. `bytes`: cut anywhere. */
  readonly split: SplitKind;
  readonly parts: readonly Labelled[];
  /** Names of the missing parts, as far as the other names show them. */
  readonly missing: readonly string[];
}

type SplitKind = 'zip' | 'bytes';
export type Input = { readonly kind: 'file'; readonly file: Labelled } | SplitArchive;

interface PartName {
  readonly archive: string;
  readonly split: SplitKind;
  readonly number: number;
}

/** Parses the name of a part: `photos.zip.001` (7-Zip, split) or `photos.z01` (zip, WinZip, WinRAR). */
function parsePartName(path: string): PartName | undefined {
  const bytes = /^(.+\.(?:zip|tgz|gz|tar))\.(\d{3,5})$/i.exec(path);
  if (bytes !== null) return { archive: bytes[1] as string, split: 'bytes', number: Number(bytes[2]) };
  const zip = /^(.+)\.z(\d{2,5})$/i.exec(path);
  return zip === null ? undefined : { archive: `${zip[1]}.zip`, split: 'zip', number: Number(zip[2]) };
}

/** Whether two files are parts of the same archive, by their names. */
export function belongTogether(path: string, other: string): boolean {
  const archiveOf = (one: string) => (parsePartName(one)?.archive ?? one).toLowerCase();
  const isPart = parsePartName(path) !== undefined || parsePartName(other)?.split === 'zip';
  return isPart && archiveOf(path) === archiveOf(other);
}

/** Groups the parts of each split archive at the position of the first part. */
export function groupParts(files: readonly Labelled[]): Input[] {
  // The last part of a split zip has the plain name `photos.zip`.
  const keyOf = ({ path }: Labelled, part = parsePartName(path)) =>
    `${part?.split ?? 'zip'} ${(part?.archive ?? path).toLowerCase()}`;
  const numbered = new Map<string, Map<number, Labelled>>();
  for (const file of files) {
    const part = parsePartName(file.path);
    if (part === undefined) continue;
    const group = numbered.get(keyOf(file)) ?? new Map<number, Labelled>();
    numbered.set(keyOf(file), group.set(part.number, file));
  }
  const isLast = (file: Labelled) => parsePartName(file.path) === undefined && numbered.has(keyOf(file));
  const lasts = new Map(files.filter(isLast).map((file) => [keyOf(file), file]));
  const done = new Set<string>();
  return files.flatMap((file): Input[] => {
    const key = keyOf(file);
    const group = numbered.get(key);
    if (group === undefined) return [{ kind: 'file', file }];
    if (done.has(key)) return [];
    done.add(key);
    return [describeArchive(group, lasts.get(key))];
  });
}

function describeArchive(numbered: ReadonlyMap<number, Labelled>, last: Labelled | undefined): SplitArchive {
  const numbers = [...numbered.keys()].sort((a, b) => a - b) as [number, ...number[]];
  const files = numbers.map((number) => numbered.get(number) as Labelled) as [Labelled, ...Labelled[]];
  const { archive, split } = parsePartName(files[0].path) as PartName;
  const missing: string[] = [];
  for (let n = Math.min(1, numbers[0]); n < (numbers.at(-1) as number); n++)
    if (!numbered.has(n)) missing.push(namePart(archive, split, n));
  if (split === 'zip' && last === undefined) missing.push(archive);
  return {
    kind: 'parts',
    path: archive,
    split,
    parts: last === undefined ? files : [...files, last],
    missing,
  };
}

export function namePart(archive: string, split: SplitKind, number: number): string {
  return split === 'bytes'
    ? `${archive}.${String(number).padStart(3, '0')}`
    : archive.replace(/zip$/i, `z${String(number).padStart(2, '0')}`);
}
