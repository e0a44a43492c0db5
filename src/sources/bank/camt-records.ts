import { readDay, readTime, type TimeOptions } from '../../import/read/read-time.ts';
import { findAll, findText, type XmlTree } from '../files/xml-tree.ts';
import { dropEmpty } from '../values/json.ts';
import { wordTable } from '../values/words.ts';
import { type Account, type Balance, makeAccountId, nameAccount } from './account-book.ts';
import { parseAmount } from './parse-amount.ts';

const BALANCES = wordTable(`OPBD=opening|PRCD=previous|CLBD=closing|
  CLAV=available|ITBD=interim|ITAV=available`);

/** ISO 20022 codes for types of payment. */
const METHODS: readonly (readonly [RegExp, string])[] = [
  [/^PMNT\.(RDDT|IDDT)/, 'direct_debit'],
  [/^PMNT\.(CCRD|MCRD|CWDL)\.(CWDL)|^PMNT\.CNTR/, 'cash'],
  [/^PMNT\.(CCRD|MCRD)/, 'card'],
  [/^PMNT\.(RCDT|ICDT|RRCT|IRCT)/, 'transfer'],
  [/^PMNT\.(RCHQ|ICHQ)/, 'check'],
  [/\.(CHRG|FEES|COMM)$/, 'fee'],
  [/\.INTR$/, 'interest'],
];

export function readCamtAccount(tree: XmlTree): Account {
  const iban = findText(tree, 'Id/IBAN');
  const other = findText(tree, 'Id/Othr/Id', 'Id/PrtryAcct/Id');
  const bank = findText(tree, 'Svcr/FinInstnId/Nm', 'Svcr/FinInstnId/BICFI', 'Svcr/FinInstnId/BIC');
  return {
    id: makeAccountId(iban ?? other),
    name: nameAccount(findText(tree, 'Nm') ?? bank ?? 'Account', iban ?? other),
    kind: 'checking',
    ...(dropEmpty({ iban, account_number: other, currency: findText(tree, 'Ccy'), bank }) as Record<
      string,
      string
    >),
  };
}

export function readCamtBalance(tree: XmlTree): (Balance & { currency?: string }) | undefined {
  const money = readMoney(tree);
  const date = readCamtDay(tree, 'Dt');
  if (money === undefined || date === undefined) return undefined;
  const code = findText(tree, 'Tp/CdOrPrtry/Cd', 'Tp/CdOrPrtry/Prtry') ?? '';
  return { kind: BALANCES[code] ?? (code.toLowerCase() || 'other'), date, ...money };
}

/** Returns the payments of an entry: one, or one per detail if a batch booking has separate amounts. */
export function readCamtEntry(entry: XmlTree, account: string, options: TimeOptions): CamtPayment[] {
  const date = readCamtDay(entry, 'BookgDt') ?? readCamtDay(entry, 'ValDt');
  const money = readMoney(entry);
  if (date === undefined || money === undefined) return [];
  const details = findAll(entry, 'NtryDtls', 'TxDtls');
  const amounts = details.map((detail) => readMoney(detail, entry));
  const isBatch = details.length > 1 && amounts.every((amount) => amount !== undefined);
  const moment = findText(entry, 'BookgDt/DtTm');
  const common = {
    account_id: account,
    date,
    booked_at: moment === undefined ? undefined : readTime(moment, options),
    value_date: readCamtDay(entry, 'ValDt'),
    status: /PDNG|INFO/.test(findText(entry, 'Sts/Cd', 'Sts') ?? '') ? 'pending' : 'booked',
  };
  if (!isBatch) return [describe(entry, details[0], { ...common, ...money })];
  return details.map((detail, index) => describe(entry, detail, { ...common, ...amounts[index] }));
}

interface CamtPayment {
  readonly data: Record<string, unknown>;
  /** Texts as earlier versions read them, with the indentation of the XML. */
  readonly legacyData?: Readonly<Record<string, unknown>>;
}

function describe(entry: XmlTree, detail: XmlTree | undefined, common: Record<string, unknown>): CamtPayment {
  const data = readDetails(entry, detail, common);
  const texts = ['merchant', 'description'].filter((name) => INDENTED.test(String(data[name] ?? '')));
  if (texts.length === 0) return { data };
  const pick = (tidy: (text: string) => string) =>
    Object.fromEntries(texts.map((name) => [name, tidy(String(data[name]))]));
  return {
    data: { ...data, ...pick((text) => text.replace(INDENTS, ' ')) },
    legacyData: pick((text) => text),
  };
}

const INDENTED = /[\r\n\t][ \t\r\n]|\t/;
const INDENTS = /[ \t\r]*\n[ \t\r\n]+|[\t\r]+[ \t\r\n]*/g;

function readDetails(entry: XmlTree, detail: XmlTree | undefined, common: Record<string, unknown>) {
  const inner = detail ?? entry;
  const isPaid = Number(common.amount) < 0;
  const [other, who] = isPaid ? ['CdtrAcct', 'Cdtr'] : ['DbtrAcct', 'Dbtr'];
  const purposes = findAll(inner, 'RmtInf', 'Ustrd').map(({ text }) => text.trim());
  const code = findCode(entry) ?? findCode(inner);
  const original =
    findAll(inner, 'AmtDtls', 'InstdAmt', 'Amt')[0] ?? findAll(entry, 'AmtDtls', 'InstdAmt', 'Amt')[0];
  const isForeign = original !== undefined && original.attributes.Ccy !== common.currency;
  return dropEmpty({
    ...common,
    merchant:
      findText(
        inner,
        `RltdPties/${who}/Nm`,
        `RltdPties/${who}/Pty/Nm`,
        `RltdPties/Ultmt${who}/Nm`,
        `RltdPties/Ultmt${who}/Pty/Nm`,
        `RltdPties/${who}/Agt/FinInstnId/Nm`,
      ) ??
      findText(inner, 'AddtlTxInf') ??
      findText(entry, 'AddtlNtryInf') ??
      purposes[0],
    description: [
      ...purposes,
      findText(inner, 'RmtInf/Strd/CdtrRefInf/Ref'),
      findText(inner, 'AddtlTxInf') ?? findText(entry, 'AddtlNtryInf'),
    ]
      .filter((text) => text !== undefined && text !== '')
      .join('\n'),
    counterparty_iban: findText(inner, `RltdPties/${other}/Id/IBAN`),
    reference:
      findText(inner, 'Refs/AcctSvcrRef') ??
      findText(entry, 'AcctSvcrRef', 'NtryRef') ??
      findText(inner, 'Refs/EndToEndId', 'Refs/TxId'),
    type: code,
    method: METHODS.find(([pattern]) => pattern.test(code ?? ''))?.[1],
    original_amount: isForeign ? parseAmount(original.text)?.value : undefined,
    original_currency: isForeign ? original.attributes.Ccy : undefined,
  });
}

function findCode(tree: XmlTree): string | undefined {
  const [domain] = findAll(tree, 'BkTxCd', 'Domn');
  const parts = ['Cd', 'Fmly/Cd', 'Fmly/SubFmlyCd'].map((path) => domain && findText(domain, path));
  return parts.filter(Boolean).join('.') || findText(tree, 'BkTxCd/Prtry/Cd');
}

/** Returns a negative amount for debits. Details may inherit the direction from their entry. */
function readMoney(tree: XmlTree, parent?: XmlTree): { amount: number; currency?: string } | undefined {
  const [amount] = [...findAll(tree, 'Amt'), ...findAll(tree, 'AmtDtls', 'TxAmt', 'Amt')];
  const value = amount === undefined ? undefined : parseAmount(amount.text)?.value;
  if (amount === undefined || value === undefined) return undefined;
  const direction = findText(tree, 'CdtDbtInd') ?? (parent && findText(parent, 'CdtDbtInd'));
  const currency = amount.attributes.Ccy;
  return {
    amount: direction === 'DBIT' && value !== 0 ? -value : value,
    ...(currency === undefined ? {} : { currency }),
  };
}

function readCamtDay(tree: XmlTree, name: string): string | undefined {
  return readDay((findText(tree, `${name}/Dt`, `${name}/DtTm`) ?? '').slice(0, 10));
}
