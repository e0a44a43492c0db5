import type { InputFile } from './importer.ts';

const TABLE = 'Open it and save it as CSV, then import that.';
/** Files that no importer reads, by their first bytes. */
const SIGNATURES: readonly (readonly [RegExp, string])[] = [
  [/^%PDF-/, 'is a PDF. If it is a statement, download it as CSV, OFX, CAMT or MT940 instead.'],
  [
    /^PK[\s\S]{0,4000}(?:\bxl\/|\bIndex\/(?:Document|Tables)|opendocument\.spreadsheet)/,
    `is a spreadsheet. ${TABLE}`,
  ],
  [/^PK[\s\S]{0,4000}(?:\[Content_Types\]|mimetype)/, 'is a document, not an export.'],
  [
    /^\xd0\xcf\x11\xe0/,
    `is a file of an old Microsoft Office or of Outlook. If it is a spreadsheet: ${TABLE}`,
  ],
  [
    /^!BDN/,
    'is an Outlook data file (.pst). Export the folders as mbox or .eml, and calendar and contacts as .csv.',
  ],
  [/^[\s\S]{8}\.FIT/, 'is a FIT file. Export the activity as GPX or TCX instead.'],
  [/^\s*(?:\[\s*\]|\{\s*\})\s*$/, 'contains no records'],
];

/** Returns why a file of a widespread format cannot be imported, and what to give instead. */
export async function describeForeign(file: InputFile): Promise<string | undefined> {
  const head = Buffer.from((await file.head()).subarray(0, 4_096)).toString('latin1');
  return SIGNATURES.find(([signature]) => signature.test(head))?.[1];
}
