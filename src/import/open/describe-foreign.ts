import type { InputFile } from '../importer.ts';

const TABLE = 'Open it and save it as CSV, then import that.';
const SHEET = /\bxl\/|\bIndex\/(?:Document|Tables)|opendocument\.spreadsheet/;

/** Returns why a file of a widespread format cannot be imported, and what to import instead. */
export async function describeForeign(file: InputFile): Promise<string | undefined> {
  const head = Buffer.from((await file.head()).subarray(0, 4_096)).toString('latin1');
  if (head.startsWith('%PDF-'))
    return 'is a PDF. If it is a statement, download it as CSV, OFX, CAMT or MT940 instead.';
  // Archives are opened, but office documents stay whole.
  if (head.startsWith('PK'))
    return SHEET.test(head) ? `is a spreadsheet. ${TABLE}` : 'is a document, not an export.';
  if (head.startsWith('\xd0\xcf\x11\xe0'))
    return `is a file of Outlook or of an old Microsoft Office. If it is a spreadsheet: ${TABLE}`;
  if (head.startsWith('!BDN'))
    return 'is an Outlook data file. Export its mail as mbox or .eml, and calendars and contacts as CSV.';
  if (head.startsWith('.FIT', 8)) return 'is a FIT file. Export the activity as GPX or TCX instead.';
  return /^\s*(?:\[\s*\]|\{\s*\})\s*$/.test(head) ? 'contains no records' : undefined;
}
