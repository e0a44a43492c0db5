import { joinWrapped, type Mt940Field } from './mt940-fields.ts';

/** Parses field `:86:`, the details of a payment. */
export type Mt940Details = {
  readonly [Name in 'name' | 'text' | 'iban' | 'type' | 'reference']?: string | undefined;
};

export const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;
const isNoReference = (text: string | undefined) =>
  text === undefined || /^(?:NONREF|NOTPROVIDED|NOT PROVIDED|[EK]REF\+?|)$/i.test(text.trim());

export function readMt940Details({ tag, lines }: Mt940Field): Mt940Details {
  if (tag === 'NS') return readNumberedLines(lines);
  const whole = lines.join('');
  const mark = /^\s*\d{3}([?>@~|<^+])(?=\d\d)/.exec(whole)?.[1];
  if (mark !== undefined) return readNumbered(whole, mark);
  if (/^\s*\/[A-Z]{2,4}\//.test(whole)) return readCoded(whole);
  return { text: joinWrapped(lines, 65) };
}

/** German banks: `166?00GUTSCHRIFT?20SVWZ+…?31DE…?32Anna`, at most 27 characters per part. */
function readNumbered(whole: string, mark: string): Mt940Details {
  const parts = whole.split(new RegExp(`\\${mark}(?=\\d\\d)`)).slice(1);
  const pick = (wanted: RegExp) =>
    parts.filter((part) => wanted.test(part.slice(0, 2))).map((part) => part.slice(2));
  const purpose = joinWrapped(pick(/^(2\d|6[0-3])$/), 27);
  const account = pick(/^31$/)[0]?.replace(/\s/g, '') ?? '';
  const coded = splitPurpose(purpose);
  const [iban, reference] = [IBAN.test(account) ? account : coded.IBAN, coded.EREF ?? coded.KREF];
  return {
    name: joinWrapped(pick(/^3[23]$/), 27),
    text: coded.SVWZ ?? coded.MTLG ?? (Object.keys(coded).length > 0 ? coded.rest : purpose),
    iban,
    type: pick(/^00$/)[0]?.trim(),
    reference: isNoReference(reference) ? undefined : reference,
  };
}

/** `EREF+123 SVWZ+Rent`: SEPA fields inside the purpose. */
function splitPurpose(purpose: string): Record<string, string | undefined> {
  const [rest, ...parts] = purpose.split(
    /(?:^|\s?)(?=(?:EREF|KREF|MREF|CRED|DEBT|SVWZ|ABWA|ABWE|IBAN|COAM|OAMT)\+|MTLG:)/,
  );
  const first = /^[A-Z]{4}[+:]/.test(rest ?? '') ? [rest as string, ...parts] : parts;
  const coded = Object.fromEntries(first.map((part) => [part.slice(0, 4), part.slice(5).trim()]));
  return first.length === 0 || first.length > parts.length ? coded : { ...coded, rest };
}

const CODES =
  /\/(TRTP|TRCD|IBAN|BIC|NAME|REMI|EREF|MARF|CSID|ISDT|BENM|ORDP|CNTP|ADDR|RTRN|PREF|PURP|SVCL|ULTB|ULTC|ULTD|OCMT|CHGS|DESC|KREF|ID)\//;

/** Dutch and other banks: `/TRTP/SEPA/IBAN/NL…/NAME/Anna/REMI/Rent`. */
function readCoded(whole: string): Mt940Details {
  const parts = whole.trim().split(CODES);
  const coded: Record<string, string> = {};
  for (let index = 1; index < parts.length; index += 2)
    coded[parts[index] as string] ||= (parts[index + 1] ?? '').replace(/^\/+|\/+$/g, '').trim();
  const [iban, , name] = (coded.CNTP ?? '').split('/');
  return {
    name: coded.NAME || name,
    text: coded.REMI?.replace(/^(?:USTD|STRD\/CUR)\/+/, '') || coded.DESC,
    iban: coded.IBAN || iban,
    type: coded.TRTP,
    reference: isNoReference(coded.EREF) ? undefined : coded.EREF,
  };
}

/** Hungarian and Austrian banks: lines with a two-digit number. */
function readNumberedLines(lines: readonly string[]): Mt940Details {
  const pick = (from: number, to: number) =>
    lines.filter((line) => Number(line.slice(0, 2)) >= from && Number(line.slice(0, 2)) <= to);
  const join = (some: readonly string[]) =>
    joinWrapped(
      some.map((line) => line.slice(2)),
      27,
    );
  return { name: join(pick(15, 16)), text: join(pick(1, 14)) };
}
