import type { InputFile, Recognised } from '../../import/importer.ts';
import { peekText } from '../../import/read/decode-text.ts';
import { outlineJson } from './outline-json.ts';

export interface Look {
  readonly path: string;
  readonly text: string;
  /** The places of its JSON; none where it is something else. */
  readonly outline: ReadonlySet<string>;
}

/** Says which part of an export a file is, or that it is none. */
type TellKind<Kind extends string> = (look: Look) => Kind | undefined;

const looks = new WeakMap<InputFile, Promise<Look>>();

/** Many importers look at the same file; it is decoded and gone through once. */
export function lookAt(file: InputFile): Promise<Look> {
  const known = looks.get(file);
  if (known !== undefined) return known;
  const look = peekText(file).then((text) => ({ path: file.path, text, outline: outlineJson(text) }));
  looks.set(file, look);
  return look;
}

export interface Own<Kind extends string> {
  readonly file: InputFile;
  readonly kind: Kind;
}

export async function findOwn<Kind extends string>(
  files: readonly InputFile[],
  tell: TellKind<Kind>,
): Promise<Own<Kind>[]> {
  const own: Own<Kind>[] = [];
  for (const file of files) {
    const kind = tell(await lookAt(file));
    if (kind !== undefined) own.push({ file, kind });
  }
  return own;
}

/** All of one account, as for exports that do not say whose they are. */
export function recogniseTogether(
  own: readonly Own<string>[],
  certainty: Recognised['certainty'] = 'certain',
): Recognised[] {
  return own.length === 0 ? [] : [{ files: own.map(({ file }) => file), certainty }];
}

/** The same where a file has to be opened to tell whether it is a part. */
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
 * One connection for each account. Files belong to the account whose own file lies nearest above or beside them,
 * and all to the one account where there is only one: an export in several parts tells whose it is once.
 */
export async function recogniseByAccount<Kind extends string>(
  own: readonly Own<Kind>[],
  findAccount: (own: Own<Kind>) => Promise<string | undefined>,
  certainty: Recognised['certainty'] = 'certain',
): Promise<Recognised[]> {
  const accounts: { file: InputFile; account: string }[] = [];
  for (const one of own) {
    const account = await findAccount(one);
    if (account !== undefined) accounts.push({ file: one.file, account });
  }
  const names = [...new Set(accounts.map(({ account }) => account))];
  const only = names.length === 1 ? names[0] : undefined;
  const groups = new Map<string | undefined, InputFile[]>();
  for (const { file } of own) {
    const nearest = accounts
      .map((one) => ({ ...one, folder: folderOf(one.file.path) }))
      .filter(({ folder }) => file.path.startsWith(folder))
      .sort((a, b) => b.folder.length - a.folder.length)[0];
    const account = only ?? nearest?.account;
    groups.set(account, [...(groups.get(account) ?? []), file]);
  }
  return [...groups].map(([account, files]) => ({
    files,
    certainty,
    ...(account === undefined ? {} : { account }),
  }));
}
