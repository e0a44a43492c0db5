import type { Importer, ImportItem, ImportOptions, InputFile, Recognised } from '../../import/importer.ts';
import { peekText } from '../../import/read/decode-text.ts';
import { makeRecord } from '../files/import-items.ts';
import { AccountBook, bankIdentity, numberedAccounts } from './account-book.ts';
import { bankDeclaration } from './bank-declaration.ts';
import { findNumbers, groupByAccount, type StatementFile } from './group-statements.ts';

interface BankFormat extends Omit<Importer, 'identity' | 'accountNumbers' | 'declare' | 'read'> {
  read(files: readonly InputFile[], book: AccountBook, options: ImportOptions): AsyncIterable<ImportItem>;
}

/** Adds what all bank formats share. Accounts are emitted after their payments. */
export const defineBankImporter = (format: BankFormat): Importer => ({
  ...format,
  identity: bankIdentity,
  accountNumbers: numberedAccounts,
  declare: async () => bankDeclaration,
  async *read({ files }, options) {
    const book = new AccountBook();
    yield* format.read(files, book, options);
    const last = files.at(-1);
    if (last === undefined) return;
    for (const data of book.list()) yield makeRecord(last, 'accounts', data);
  },
});

/** Recognises statements by their beginning: one connection per account number. */
export async function recogniseByNumber(
  files: readonly InputFile[],
  isOwn: (head: string) => boolean,
  number: RegExp,
): Promise<readonly Recognised[]> {
  const own: StatementFile[] = [];
  for (const file of files) {
    const head = await peekText(file);
    if (isOwn(head)) own.push({ file, accountNumbers: findNumbers(head, number) });
  }
  return groupByAccount(own).map((some) => ({ files: some, certainty: 'certain' }));
}
