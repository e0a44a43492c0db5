import type { Importer, InputFile, Recognised, Yielded } from '../../import/importer.ts';
import { decodeText, peekText } from '../../import/read/decode-text.ts';
import { dropEmpty } from '../values/drop-empty.ts';
import { createKeyGuard } from '../values/unique-key.ts';
import { AccountBook, bankIdentity, numberedAccounts } from './account-book.ts';
import { bankDeclaration } from './bank-declaration.ts';
import { findNumbers, groupByAccount, type NumberedFile } from './group-statements.ts';
import { readOfxEvents } from './ofx-elements.ts';
import { readPart } from './ofx-items.ts';
import { readAccount } from './ofx-records.ts';
import { type OfxPart, readOfxParts } from './ofx-statement.ts';

export const ofxImporter: Importer = {
  format: 'ofx',
  title: 'Bank statement (OFX, QFX)',
  guide: {
    steps: [
      'Sign in at your bank and open the account.',
      'Look for Download, Export or Statements.',
      'Choose OFX, QFX, Quicken or Microsoft Money as the format.',
    ],
    waiting: 'At once.',
    choose: 'The longest period it offers; importing months that overlap adds nothing twice.',
  },
  identity: bankIdentity,
  numbered: numberedAccounts,
  accountIsShared: true,
  recognise,
  declare: async () => bankDeclaration,
  read,
};

const NUMBER = /<(?:BANK|CC|INV)ACCTFROM>[\s\S]{0,400}?<ACCTID>\s*([^<\r\n]+)/gi;

/** One connection per account, as far as the files name it. */
async function recognise(files: readonly InputFile[]): Promise<readonly Recognised[]> {
  const banks = new Map<string, NumberedFile[]>();
  for (const file of files) {
    const head = await peekText(file);
    if (!/^\s*OFXHEADER\s*:/i.test(head) && !/<OFX>\s*</i.test(head)) continue;
    const bank = /<ORG>\s*([^<\r\n]+)/i.exec(head)?.[1]?.trim() ?? '';
    const one = { file, numbers: findNumbers(head, NUMBER) };
    banks.set(bank, [...(banks.get(bank) ?? []), one]);
  }
  return [...banks].flatMap(([bank, own]) =>
    groupByAccount(own).map(
      (some): Recognised => ({
        files: some,
        certainty: 'certain',
        ...(bank === '' ? {} : { account: bank }),
      }),
    ),
  );
}

async function* read({ files }: Recognised): AsyncGenerator<Yielded> {
  const book = new AccountBook();
  const takeKey = createKeyGuard();
  for (const file of files) yield* readStatement(file, book, takeKey);
  const last = files.at(-1);
  if (last === undefined) return;
  for (const data of book.list()) yield { kind: 'record', stream: 'accounts', data, file: last };
}

async function* readStatement(
  file: InputFile,
  book: AccountBook,
  takeKey: (key: string) => string | undefined,
): AsyncGenerator<Yielded> {
  const head = await peekText(file);
  const papers = /<INVSTMT/i.test(head) ? await listSecurities(file, head) : new Map<string, string>();
  let [bank, currency, account]: (string | undefined)[] = [];
  let [count, accounts] = [0, 0];
  for await (const part of openParts(file, head)) {
    if (part.name === 'CURDEF') currency = part.values.get('CURDEF')?.toUpperCase();
    else if (part.name === 'FI') bank = part.values.get('ORG');
    else if (part.name.endsWith('ACCTFROM')) {
      const found = readAccount(part, bank, currency);
      if (found !== undefined) book.add(found);
      account = found?.id;
      accounts += 1;
    } else {
      const item = readPart(part, account, currency, papers);
      if (item === 'ignored') continue;
      count += 1;
      const place = `item ${count}`;
      if (item === 'unreadable') {
        const reason = part.isWhole
          ? 'lacks its day, its amount or its account'
          : 'the file breaks off inside of it';
        yield { kind: 'problem', file, place, reason };
        continue;
      }
      if (item.balance !== undefined) book.addBalance(account as string, item.balance);
      const id = item.isPayment ? takeKey(item.key ?? '') : item.key;
      const account_name = item.stream === 'transactions' ? book.nameOf(account as string) : undefined;
      const data = dropEmpty({ id, account_name, ...item.data });
      yield { kind: 'record', stream: item.stream, data, place, file };
    }
  }
  if (count + accounts === 0)
    yield {
      kind: 'problem',
      file,
      reason: 'names no account and no payment: the bank may have refused to answer',
    };
}

async function* openParts(file: InputFile, head: string): AsyncGenerator<OfxPart> {
  const { pieces } = await decodeText(file, findCharset(head));
  yield* readOfxParts(readOfxEvents(pieces));
}

/** Names of securities stand after the trades that are about them. */
async function listSecurities(file: InputFile, head: string): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for await (const { name, values } of openParts(file, head)) {
    const [id, called] = [values.get('UNIQUEID'), values.get('SECNAME')];
    if (name === 'SECINFO' && id !== undefined && called !== undefined) names.set(id, called);
  }
  return names;
}

/** `CHARSET:1252` of OFX 1, `encoding="..."` of OFX 2. */
function findCharset(head: string): string | undefined {
  const named = /CHARSET\s*[:=]\s*"?([\w-]+)/i.exec(head)?.[1] ?? /encoding="([\w-]+)"/i.exec(head)?.[1];
  return named === undefined
    ? undefined
    : /^125\d$/.test(named)
      ? `windows-${named}`
      : /^8859/.test(named)
        ? `iso-${named}`
        : named;
}
