import type { OfxEvent } from './ofx-elements.ts';

/** An aggregate that means something by itself, flat: the first value of each name in it, at any depth. */
export interface OfxPart {
  readonly name: string;
  readonly values: ReadonlyMap<string, string>;
  /** False where the file breaks off inside of it. */
  readonly isWhole: boolean;
}

const TRADE =
  /^(BUY|SELL)(DEBT|MF|OPT|OTHER|STOCK)$|^(INCOME|REINVEST|RETOFCAP|SPLIT|TRANSFER|CLOSUREOPT|INVEXPENSE|JRNLFUND|JRNLSEC|MARGININTEREST)$/;
const POSITION = /^POS(DEBT|MF|OPT|OTHER|STOCK)$/;
const OTHERS = [
  ...['STMTTRN', 'BANKACCTFROM', 'CCACCTFROM', 'INVACCTFROM'],
  ...['LEDGERBAL', 'AVAILBAL', 'SECINFO', 'FI'],
];

export const isTrade = (name: string) => TRADE.test(name);
export const isPosition = (name: string) => POSITION.test(name);
const isPart = (name: string) => OTHERS.includes(name) || isTrade(name) || isPosition(name);
const isList = (name: string) => name === 'BANKTRANLIST' || name === 'INVTRANLIST';

/**
 * Gathers events into parts, in the order of the file. Single values outside of any (`CURDEF`) come as a part of
 * that name. A part that is never closed ends where the next begins.
 */
export async function* readOfxParts(events: AsyncIterable<OfxEvent>): AsyncGenerator<OfxPart> {
  let name: string | undefined;
  let values = new Map<string, string>();
  for await (const event of events) {
    if (event.kind === 'value') {
      if (name === undefined) yield makePart(event.name, new Map([[event.name, event.value]]));
      else if (!values.has(event.name)) values.set(event.name, event.value);
      continue;
    }
    // An account inside of a transaction is where the money went, and no statement of its own.
    const isInner = name !== undefined && /ACCT(FROM|TO)$/.test(event.name) && event.name !== name;
    if (isInner || !(isPart(event.name) || isList(event.name))) continue;
    if (name !== undefined) yield makePart(name, values);
    name = event.kind === 'open' && isPart(event.name) ? event.name : undefined;
    values = new Map();
  }
  if (name !== undefined) yield { ...makePart(name, values), isWhole: false };
}

const makePart = (name: string, values: ReadonlyMap<string, string>): OfxPart => ({
  name,
  values,
  isWhole: true,
});
