/** Something to open that may be called otherwise than its place on the disk. */
export interface Labelled {
  readonly location: string;
  readonly path: string;
}

/** A pack that was cut into several files, in their order. */
export interface PartedPack {
  readonly kind: 'parts';
  readonly path: string;
  /** Cut by a packer that counts the parts and speaks of places in them, or just cut. */
  readonly cut: 'counted' | 'plain';
  readonly parts: readonly Labelled[];
  /** What the parts are called that must have been there, as far as names tell. */
  readonly missing: readonly string[];
}

export type Given = { readonly kind: 'file'; readonly file: Labelled } | PartedPack;

/** `photos.zip.001`, as 7-Zip and split name them. */
const PLAIN = /^(.+\.(?:zip|tgz|gz|tar))\.(\d{3,5})$/i;
/** `photos.z01`, `photos.z02` and then `photos.zip`, as zip, WinZip and WinRAR name them. */
const COUNTED = /^(.+)\.z(\d{2,5})$/i;

/** Finds the pack that a file is a part of by its name: parts after the first look like nothing. */
function findPack(path: string): { pack: string; cut: PartedPack['cut']; number: number } | undefined {
  const plain = PLAIN.exec(path);
  if (plain !== null) return { pack: plain[1] as string, cut: 'plain', number: Number(plain[2]) };
  const counted = COUNTED.exec(path);
  return counted === null
    ? undefined
    : { pack: `${counted[1]}.zip`, cut: 'counted', number: Number(counted[2]) };
}

export function belongTogether(path: string, other: string): boolean {
  const packOf = (one: string) => (findPack(one)?.pack ?? one).toLowerCase();
  const isPart = findPack(path) !== undefined || findPack(other)?.cut === 'counted';
  return isPart && packOf(path) === packOf(other);
}

/** The same files with parts of one pack put together, where the first of them stood. */
export function groupParts(files: readonly Labelled[]): Given[] {
  const packs = new Map<string, Map<number, Labelled>>();
  const keyOf = (path: string) => {
    const found = findPack(path);
    return found === undefined ? undefined : `${found.cut} ${found.pack.toLowerCase()}`;
  };
  for (const file of files) {
    const key = keyOf(file.path);
    if (key === undefined) continue;
    const numbered = packs.get(key) ?? new Map<number, Labelled>();
    packs.set(key, numbered.set(findPack(file.path)?.number as number, file));
  }
  const lasts = new Map(
    files.flatMap((file) => {
      const key = `counted ${file.path.toLowerCase()}`;
      return packs.has(key) ? [[key, file] as const] : [];
    }),
  );
  const told = new Set<string>();
  return files.flatMap((file): Given[] => {
    const key = keyOf(file.path) ?? `counted ${file.path.toLowerCase()}`;
    const numbered = packs.get(key);
    if (numbered === undefined) return [{ kind: 'file', file }];
    if (told.has(key)) return [];
    told.add(key);
    return [joinParts(numbered, lasts.get(key))];
  });
}

function joinParts(numbered: ReadonlyMap<number, Labelled>, last: Labelled | undefined): PartedPack {
  const numbers = [...numbered.keys()].sort((a, b) => a - b);
  const { path } = numbered.get(numbers[0] as number) as Labelled;
  const { pack, cut } = findPack(path) as { pack: string; cut: PartedPack['cut'] };
  const missing: string[] = [];
  for (let n = Math.min(1, numbers[0] as number); n < (numbers.at(-1) as number); n++)
    if (!numbered.has(n)) missing.push(namePart(pack, cut, n));
  if (cut === 'counted' && last === undefined) missing.push(pack);
  const parts = [...numbers.map((n) => numbered.get(n) as Labelled), ...(last === undefined ? [] : [last])];
  return { kind: 'parts', path: pack, cut, parts, missing };
}

export function namePart(pack: string, cut: PartedPack['cut'], number: number): string {
  return cut === 'plain'
    ? `${pack}.${String(number).padStart(3, '0')}`
    : pack.replace(/zip$/i, `z${String(number).padStart(2, '0')}`);
}
