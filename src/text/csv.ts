/** Formats one line of CSV (RFC 4180): lists as values separated by spaces, objects as JSON. */
export function writeCsvLine(cells: readonly unknown[]): string {
  return `${cells.map(toCell).join(',')}\r\n`;
}

/** The first characters of a formula, including full-width forms. They are escaped, so that spreadsheets show the text. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

function toCell(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = toText(value);
  const safe = FORMULA.test(text) ? `'${text}` : text;
  // Spreadsheets in many countries split at semicolons, and pasted lines at tabs.
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function toText(value: unknown): string {
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join(' ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
