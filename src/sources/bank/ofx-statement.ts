import type { OfxEvent } from './ofx-elements.ts';

/** An OFX aggregate (an element with children), and the first value of each name inside it at any depth. */
export interface OfxPart {
  readonly name: string;
  readonly values: ReadonlyMap<string, string>;
  /** False if the file ends inside it. */
  readonly isWhole: boolean;
}

const TRADE =
  /^(BUY|SELL)(DEBT|MF|OPT|OTHER|STOCK)$|^(INCOME|REINVEST|RETOFCAP|SPLIT|TRANSFER|CLOSUREOPT|INVEXPENSE|JRNLFUND|JRNLSEC|MARGININTEREST)$/;
const POSITION = /^POS(DEBT|MF|OPT|OTHER|STOCK)$/;
const OTHER_PARTS = [
  ...['STMTTRN', 'BANKACCTFROM', 'CCACCTFROM', 'INVACCTFROM'],
  ...['LEDGERBAL', 'AVAILBAL', 'SECINFO', 'FI'],
];

export const isTrade = (name: string) => TRADE.test(name);
export const isPosition = (name: string) => POSITION.test(name);
const isPart = (name: string) => OTHER_PARTS.includes(name) || isTrade(name) || isPosition(name);
const isList = (name: string) => name === 'BANKTRANLIST' || name === 'INVTRANLIST';

/**
 * Groups events into parts, in file order. Single values outside any part (`CURDEF`) are parts of their own. An
 * unclosed part ends where the next begins.
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
    // An account inside a transaction is the counterparty's account.
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
