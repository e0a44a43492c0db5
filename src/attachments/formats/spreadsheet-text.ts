import { type TextContext, Unreadable } from '../file-text.ts';
import type { Parts } from '../unzip-parts.ts';
import { readXmlPart } from './read-xml-part.ts';
import { isDateFormat, readDateFormats, writeDate } from './spreadsheet-dates.ts';

/** Texts that cells refer to by number. Later ones are left out. */
const MAX_SHARED_CHARACTERS = 8 * 2 ** 20;

/** Reads XLSX (ECMA-376): for each sheet its name and its first rows, with values as they were last calculated. */
export async function readSpreadsheetText(parts: Parts, context: TextContext): Promise<void> {
  const shared = await readSharedTexts(parts);
  const dates = await readDateFormats(parts);
  const names = await readSheetNames(parts);
  let wasCut = false;
  for (const [index, part] of parts.list(/^xl\/worksheets\/sheet\d+\.xml$/).entries()) {
    context.out.add(`${names[index] ?? ''}\n`);
    if (await readSheet(parts, part, { shared, dates }, context)) wasCut = true;
    context.out.add('\n');
  }
  if (wasCut) throw new Unreadable('cut');
}

interface Workbook {
  readonly shared: readonly string[];
  readonly dates: readonly boolean[];
}

/** Returns whether rows were left out. */
async function readSheet(
  parts: Parts,
  part: string,
  workbook: Workbook,
  { out, limits }: TextContext,
): Promise<boolean> {
  let cell: { type: string | undefined; style: number; text: string } | undefined;
  let isValue = false;
  let rows = 0;
  await readXmlPart(parts.open(part), {
    open(name, { t, s }) {
      if (name === 'c') cell = { type: t, style: Number(s ?? 0), text: '' };
      // `v` is a value; `t` is a text inside the cell.
      else if (name === 'v' || name === 't') isValue = true;
    },
    text(text) {
      if (isValue && cell !== undefined && rows < limits.rows) cell.text += text;
    },
    close(name) {
      if (name === 'v' || name === 't') isValue = false;
      else if (name === 'c' && cell !== undefined) {
        if (rows < limits.rows) out.add(`${writeCell(cell, workbook)}\t`);
        cell = undefined;
      } else if (name === 'row') {
        rows += 1;
        if (rows <= limits.rows) out.add('\n');
      }
    },
  });
  return rows > limits.rows;
}

function writeCell(
  { type, style, text }: { type: string | undefined; style: number; text: string },
  { shared, dates }: Workbook,
): string {
  if (type === 's') return shared[Number(text)] ?? '';
  if (type === 'b') return text === '1' ? 'TRUE' : 'FALSE';
  return type === undefined || type === 'n' ? (isDateFormat(dates, style) ? writeDate(text) : text) : text;
}

async function readSharedTexts(parts: Parts): Promise<string[]> {
  const texts: string[] = [];
  let current = '';
  let isText = false;
  let phonetics = 0;
  let characters = 0;
  await readXmlPart(parts.open('xl/sharedStrings.xml'), {
    open(name) {
      if (name === 'si') current = '';
      // Readings of Japanese words.
      else if (name === 'rPh') phonetics += 1;
      else if (name === 't') isText = phonetics === 0;
    },
    text(text) {
      if (isText && characters < MAX_SHARED_CHARACTERS) {
        current += text;
        characters += text.length;
      }
    },
    close(name) {
      if (name === 't') isText = false;
      else if (name === 'rPh') phonetics -= 1;
      else if (name === 'si') texts.push(current);
    },
  });
  return texts;
}

async function readSheetNames(parts: Parts): Promise<string[]> {
  const names: string[] = [];
  await readXmlPart(parts.open('xl/workbook.xml'), {
    open(element, { name }) {
      if (element === 'sheet' && name !== undefined) names.push(name);
    },
  });
  return names;
}
