import type { ImportItem, ImportOptions, InputFile } from '../../import/importer.ts';
import { DayOrder } from '../../import/read/day-order.ts';
import { peekText } from '../../import/read/decode-text.ts';
import { readHtmlEvents } from '../../import/read/html-text.ts';
import { readTime } from '../../import/read/read-time.ts';
import { makeProblem } from '../files/import-items.ts';
import { type Activity, toActivityRecord } from './activity-record.ts';

interface Line {
  text: string;
  link: { text: string; url: string } | undefined;
}

interface Cell {
  header: string;
  readonly lines: Line[];
  readonly remarks: Line[];
}

/** Reads Google's HTML pages. An entry is a box: a heading, lines with title, details and time, and small print. */
export async function* readActivityHtml(file: InputFile, options: ImportOptions): AsyncGenerator<ImportItem> {
  const order = new DayOrder();
  for (const line of (await peekText(file)).split(/<br ?\/?>/i)) order.add(line.slice(0, 60));
  const { dayFirst } = order.decide(options);
  let number = 0;
  for await (const cell of readCells(file)) {
    number += 1;
    const place = `entry ${number}`;
    const activity = readCell(cell, { ...options, dayFirst });
    if (activity === undefined) yield makeProblem(file, 'is not an activity entry', place);
    else yield { kind: 'record', ...toActivityRecord(activity), place, file };
  }
  if (number === 0) yield makeProblem(file, 'contains no activity');
}

async function* readCells(file: InputFile): AsyncGenerator<Cell> {
  let cell: Cell | undefined;
  let depth = 0;
  let part: 'header' | 'lines' | 'remarks' | undefined;
  let href: string | undefined;
  for await (const event of readHtmlEvents(file)) {
    if (event.kind === 'text') {
      if (cell === undefined || part === undefined) continue;
      if (part === 'header') cell.header += event.text;
      else addText(cell[part], event.text, href);
    } else if (event.kind === 'open') {
      if (event.name === 'a') href = event.attributes.href ?? '';
      if (event.name === 'br' && (part === 'lines' || part === 'remarks'))
        cell?.[part].push({ text: '', link: undefined });
      if (event.name !== 'div') continue;
      const classes = event.attributes.class ?? '';
      if (/\bouter-cell\b/.test(classes)) {
        if (cell !== undefined) yield cell;
        cell = { header: '', lines: [], remarks: [] };
        depth = 0;
        part = undefined;
      }
      depth += 1;
      if (/\bheader-cell\b/.test(classes)) part = 'header';
      else if (/\bmdl-typography--caption\b/.test(classes)) part = 'remarks';
      else if (/\bmdl-typography--text-right\b/.test(classes)) part = undefined;
      else if (/\bcontent-cell\b/.test(classes)) part = 'lines';
    } else if (event.name === 'a') href = undefined;
    else if (event.name === 'div' && cell !== undefined) {
      depth -= 1;
      part = undefined;
      if (depth > 0) continue;
      yield cell;
      cell = undefined;
    }
  }
  if (cell !== undefined) yield cell;
}

function addText(lines: Line[], text: string, href: string | undefined): void {
  if (lines.length === 0) lines.push({ text: '', link: undefined });
  const line = lines.at(-1) as Line;
  line.text += text;
  if (href === undefined) return;
  // One text may arrive in pieces.
  if (line.link !== undefined && line.link.url === href) line.link.text += text;
  else line.link ??= { text, url: href };
}

function readCell({ header, lines, remarks }: Cell, options: ImportOptions): Activity | undefined {
  const full = lines
    .map(({ text, link }) => ({ text: collapseSpaces(text), link }))
    .filter(({ text }) => text !== '');
  const at = full.findLastIndex(
    ({ text, link }) => link === undefined && readTime(text, options) !== undefined,
  );
  const [first, ...others] = full.filter((_, index) => index !== at);
  const product = collapseSpaces(header) || undefined;
  if (first === undefined) return undefined;
  return {
    product,
    title: first.text,
    name: first.link === undefined ? undefined : collapseSpaces(first.link.text),
    url: first.link?.url,
    time: at < 0 ? undefined : readTime(full[at]?.text ?? '', options),
    items: others.map(({ text, link }) => ({ name: text, url: link?.url })),
    // Headings of the small print end in a colon, and their values are indented.
    details: remarks
      .filter(({ text }) => /^[\u2003\s]+\S/.test(text))
      .map(({ text }) => collapseSpaces(text))
      .filter((text) => text !== '' && text !== product),
    places: [],
  };
}

const collapseSpaces = (text: string) => text.replace(/[\s\u00a0\u2003]+/g, ' ').trim();
