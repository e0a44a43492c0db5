import { dropEmpty } from '../values/drop-empty.ts';
import { readBalance, readHolding, readTrade, readTransaction } from './ofx-records.ts';
import { isPosition, isTrade, type OfxPart } from './ofx-statement.ts';

/** A record that a part of a statement becomes. */
interface Item {
  readonly stream: string;
  readonly data: Record<string, unknown>;
  readonly key?: string;
  /** Of which no two may fall together. */
  readonly isPayment?: boolean;
  readonly balance?: { kind: string; amount: number; date: string };
}

/** What a part says: a record, nothing that is kept, or something that cannot be read. */
export function readPart(
  part: OfxPart,
  account: string | undefined,
  currency: string | undefined,
  papers: ReadonlyMap<string, string>,
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
    const data = readTrade(part, account, currency, papers);
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
