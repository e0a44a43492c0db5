import type { ImportItem, InputFile, Recognised } from '../../import/importer.ts';
import { decodeText, peekText } from '../../import/read/decode-text.ts';
import { makeProblem, makeRecord } from '../files/import-items.ts';
import { dropEmpty } from '../values/json.ts';
import { createKeyGuard } from '../values/unique-key.ts';
import type { AccountBook } from './account-book.ts';
import { defineBankImporter } from './bank-importer.ts';
import { findNumbers, groupByAccount, type StatementFile } from './group-statements.ts';
import { readOfxEvents } from './ofx-elements.ts';
import { readAccount, readBalance, readHolding, readTrade, readTransaction } from './ofx-records.ts';
import { isPosition, isTrade, type OfxPart, readOfxParts } from './ofx-statement.ts';

export const ofxImporter = defineBankImporter({
  format: 'ofx',
  title: 'Bank statement (OFX, QFX)',
  guide: {
    steps: [
      'Sign in at your bank and open the account.',
      'Look for Download, Export or Statements.',
      'Choose OFX, QFX, Quicken or Microsoft Money as the format.',
    ],
    waiting: 'Immediately.',
    choose: 'The longest period available. Overlapping months are not imported twice.',
  },
  accountIsShared: true,
  recognise,
  read,
});

const NUMBER = /<(?:BANK|CC|INV)ACCTFROM>[\s\S]{0,400}?<ACCTID>\s*([^<\r\n]+)/gi;

async function recognise(files: readonly InputFile[]): Promise<readonly Recognised[]> {
  const banks = new Map<string, StatementFile[]>();
  for (const file of files) {
    const head = await peekText(file);
    if (!/^\s*OFXHEADER\s*:/i.test(head) && !/<OFX>\s*</i.test(head)) continue;
    const bank = /<ORG>\s*([^<\r\n]+)/i.exec(head)?.[1]?.trim() ?? '';
    const one = { file, accountNumbers: findNumbers(head, NUMBER) };
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

async function* read(files: readonly InputFile[], book: AccountBook): AsyncGenerator<ImportItem> {
  const takeKey = createKeyGuard();
  for (const file of files) yield* readStatement(file, book, takeKey);
}

async function* readStatement(
  file: InputFile,
  book: AccountBook,
  takeKey: (key: string) => string | undefined,
): AsyncGenerator<ImportItem> {
  const head = await peekText(file);
  const securities = /<INVSTMT/i.test(head) ? await listSecurities(file, head) : new Map<string, string>();
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
      const item = readPart(part, account, currency, securities);
      if (item === 'ignored') continue;
      count += 1;
      const place = `item ${count}`;
      if (item === 'unreadable') {
        const reason = part.isWhole
          ? 'has no date, amount or account'
          : 'is cut off: the file ends inside it';
        yield makeProblem(file, reason, place);
        continue;
      }
      if (item.balance !== undefined) book.addBalance(account as string, item.balance);
      const id = item.isPayment ? takeKey(item.key ?? '') : item.key;
      const account_name = item.stream === 'transactions' ? book.nameOf(account as string) : undefined;
      const data = dropEmpty({ id, account_name, ...item.data });
      yield makeRecord(file, item.stream, data, place);
    }
  }
  if (count + accounts === 0)
    yield makeProblem(file, 'contains no account or payment; the bank may have returned an error');
}

async function* openParts(file: InputFile, head: string): AsyncGenerator<OfxPart> {
  const { pieces } = await decodeText(file, findCharset(head));
  yield* readOfxParts(readOfxEvents(pieces));
}

/** Names of securities come after the trades that refer to them. */
async function listSecurities(file: InputFile, head: string): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for await (const { name, values } of openParts(file, head)) {
    const [id, securityName] = [values.get('UNIQUEID'), values.get('SECNAME')];
    if (name === 'SECINFO' && id !== undefined && securityName !== undefined) names.set(id, securityName);
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

interface Item {
  readonly stream: string;
  readonly data: Record<string, unknown>;
  readonly key?: string;
  /** These keys must be unique. */
  readonly isPayment?: boolean;
  readonly balance?: { kind: string; amount: number; date: string };
}

function readPart(
  part: OfxPart,
  account: string | undefined,
  currency: string | undefined,
  securities: ReadonlyMap<string, string>,
): Item | 'ignored' | 'unreadable' {
  const { name, values, isWhole } = part;
  const isItem = name === 'STMTTRN' || /BAL$/.test(name) || isTrade(name) || isPosition(name);
  if (name === 'SECINFO') return readSecurity(values) ?? 'ignored';
  if (!isItem) return 'ignored';
  if (!isWhole || account === undefined) return 'unreadable';
  const own = values.get('FITID');
  const key = own === undefined ? {} : { key: `${account}-${own}`, isPayment: true };
  if (name === 'STMTTRN') {
    const data = readTransaction(values, account, currency);
    return data === undefined ? 'unreadable' : { stream: 'transactions', data, ...key };
  }
  if (isTrade(name)) {
    const data = readTrade(part, account, currency, securities);
    return data === undefined ? 'unreadable' : { stream: 'trades', data, ...key };
  }
  if (isPosition(name)) {
    const data = readHolding(part, account, currency);
    return data === undefined ? 'unreadable' : { stream: 'holdings', data };
  }
  const balance = readBalance(part);
  if (balance === undefined) return 'unreadable';
  const data = dropEmpty({ account_id: account, ...balance, currency });
  return { stream: 'balances', data, key: `${account}-${balance.date}-${balance.kind}`, balance };
}

function readSecurity(values: OfxPart['values']): Item | undefined {
  const id = values.get('UNIQUEID');
  if (id === undefined) return undefined;
  const data = dropEmpty({ name: values.get('SECNAME') ?? id, ticker: values.get('TICKER') });
  return { stream: 'securities', data, key: id };
}
