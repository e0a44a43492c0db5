/** One line of CSV (RFC 4180). A list is its values with a space between them, an object its JSON. */
export function writeCsvLine(cells: readonly unknown[]): string {
  return `${cells.map(toCell).join(',')}\r\n`;
}

/** What a spreadsheet would take for a formula, also in the wide letters of East Asia, is kept as the text it is. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

function toCell(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = toText(value);
  const safe = FORMULA.test(text) ? `'${text}` : text;
  // Spreadsheets of many countries split at a semicolon, and a pasted line is split at tabs.
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function toText(value: unknown): string {
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join(' ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
