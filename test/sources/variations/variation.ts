/** A file as other places write it: another language, year, program or encoding. */
export interface Variation {
  readonly name: string;
  /** Who must recognise it, among all. */
  readonly format: string;
  /** By path. */
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  /** All records of these streams, in order, with what must be in each. */
  readonly has: Readonly<Record<string, readonly Record<string, unknown>[]>>;
}

/** Several ways to write one thing, which must all be read alike. */
export function vary(
  format: string,
  path: string,
  contents: Readonly<Record<string, string | Uint8Array>>,
  has: Variation['has'],
): Variation[] {
  return Object.entries(contents).map(([name, content]) => ({
    name,
    format,
    files: { [path]: content },
    has,
  }));
}

/** UTF-16 with its mark, as programs on Windows save text. */
export const toUtf16 = (text: string): Uint8Array => Buffer.from(`\ufeff${text}`, 'utf16le');
export const toLatin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1');
