import { decodeWindows1252 } from '../../import/read/guess-encoding.ts';
import { type ContentLine, splitValue, unescapeText } from '../files/content-lines.ts';

/** Decodes quoted-printable text of vCard 2.1, in the named charset or UTF-8. */
export function decodeValue({ value, params }: ContentLine): string {
  if (!params.ENCODING?.some((encoding) => /^quoted-printable$/i.test(encoding))) return value;
  const bytes = Buffer.from(
    value
      .replace(/=\r?\n/g, '')
      .replace(/[\u{100}-\u{10ffff}]/gu, (other) => Buffer.from(other).toString('latin1'))
      .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
  try {
    const decoder = new TextDecoder(params.CHARSET?.[0] ?? 'utf-8', { fatal: true });
    const isWindows1252 = decoder.encoding === 'windows-1252';
    return (isWindows1252 ? decodeWindows1252(bytes) : decoder.decode(bytes)).replaceAll('\r\n', '\n');
  } catch {
    return decodeWindows1252(bytes);
  }
}

/** Joins the parts of an address or company on one line. */
export function joinParts(raw: string): string | undefined {
  const parts = splitValue(raw, ';').map((part) => unescapeText(part).replace(/\s+/g, ' ').trim());
  return parts.filter((part) => part !== '').join(', ') || undefined;
}

/** Unwraps Apple's own labels: `_$!<Anniversary>!$_`. */
export function tidyLabel(label: string): string {
  return unescapeText(label.replace(/^_\$!<(.*)>!\$_$/, '$1'));
}
