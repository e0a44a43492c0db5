import { readHtmlText } from '../../import/read/html-text.ts';
import { findHeadline, findLinks, stripCode } from '../markdown/note-text.ts';
import { readHtmlNote } from '../notes/html-note.ts';
import { normaliseId } from './notion-names.ts';

export interface NotionPage {
  readonly id?: string | undefined;
  readonly title: string | undefined;
  readonly text: string;
  readonly properties: Readonly<Record<string, string>>;
  /** Links and pictures, as written. */
  readonly targets: readonly string[];
}

const ARTICLE = /<article id="([0-9a-f-]{32,36})" class="page\b/;
/** A header is a title and some properties. */
const MAX_HEADER_CHARACTERS = 200_000;
const PROPERTY = /^([^:\n]{1,80}):[ \t](.*)$/;

export const isHtmlPage = (head: string): boolean => ARTICLE.test(head);
export const isMarkdownPage = (head: string): boolean => /^\s*# \S/.test(head);

/** Whether Notion's times follow the title. */
export const hasPageTimes = (head: string): boolean =>
  /^\s*# .+\r?\n(?:\s*\r?\n)?(?:[^:\n]{1,80}:.*\n){0,20}?(?:Created|Last edited)(?: time)?: /.test(head);

/**
 * Reads a page of the Markdown export. Properties follow the title, one per line. If the page is in no known
 * database they could be a paragraph, so they stay in the text too.
 */
export function readMarkdownPage(written: string, columns: ReadonlySet<string> | undefined): NotionPage {
  const text = written.replaceAll('\r\n', '\n').trim();
  const title = /^# (.*)$/m.exec(text.slice(0, 2_000))?.[1]?.trim();
  const body = text.startsWith('# ') ? text.replace(/^# .*\n*/, '') : text;
  const end = body.search(/\n[ \t]*\n/);
  const paragraph = end === -1 ? body : body.slice(0, end);
  const lines = paragraph.split('\n').map((line) => PROPERTY.exec(line));
  const found = lines.flatMap((line) => (line === null ? [] : [[line[1] ?? '', line[2] ?? ''] as const]));
  const isAll = found.length === lines.length && lines.length > 0;
  const isKnown = isAll && found.some(([name]) => columns?.has(name.toLowerCase()));
  const rest = isKnown ? body.slice(paragraph.length).trim() : body.trim();
  return {
    title: title ?? findHeadline(text),
    text: rest,
    properties: isAll ? toProperties(found) : {},
    targets: findLinks(stripCode(rest)).map(({ target }) => target),
  };
}

/** Reads a page of the HTML export. The table of a database is left out if its rows are read from CSV. */
export function readHtmlPage(html: string, hasTable: boolean): NotionPage {
  const id = ARTICLE.exec(html)?.[1];
  const start = Math.max(0, html.indexOf('<header'));
  const closed = html.indexOf('</header>', start);
  const header = html.slice(start, closed === -1 ? start : closed).slice(0, MAX_HEADER_CHARACTERS);
  const title = cut(header, '<h1 class="page-title"', '</h1>');
  const description = cut(header, '<p class="page-description"', '</p>');
  const whole = closed === -1 ? html : html.slice(closed + '</header>'.length);
  const body = hasTable ? dropTables(whole) : whole;
  const note = readHtmlNote(body);
  return {
    id: id === undefined ? undefined : normaliseId(id),
    title: readHtmlText(title).replace(/\s+/g, ' ') || undefined,
    text: [readHtmlText(description), note.text].filter((part) => part !== '').join('\n\n'),
    properties: readPropertyTable(header),
    targets: note.targets,
  };
}

function readPropertyTable(header: string): Record<string, string> {
  const rows = header.split('<tr class="property-row').slice(1);
  return toProperties(
    rows.map((row) => {
      const cell = cut(row, '<td', '</td>')
        .replaceAll('</span><span class="selected-value', '</span>, <span class="selected-value')
        .replace(
          /<div class="checkbox checkbox-(on|off)"/,
          (box, state) => `${state === 'on' ? 'Yes' : 'No'}${box}`,
        );
      return [readHtmlText(cut(row, '<th', '</th>')), readHtmlText(cell)] as const;
    }),
  );
}

/** Removes tables with the rows of a database. */
function dropTables(html: string): string {
  const kept: string[] = [];
  let from = 0;
  for (;;) {
    const start = html.indexOf('<table class="collection-content"', from);
    const end = start === -1 ? -1 : html.indexOf('</table>', start);
    if (end === -1) return [...kept, html.slice(from)].join('');
    kept.push(html.slice(from, start));
    from = end + '</table>'.length;
  }
}

function cut(html: string, open: string, close: string): string {
  const start = html.indexOf(open);
  const end = start === -1 ? -1 : html.indexOf(close, start);
  return end === -1 ? '' : html.slice(start, end + close.length);
}

function toProperties(entries: readonly (readonly [string, string])[]): Record<string, string> {
  const filled = entries.map(([name, value]) => [name.trim(), value.trim()] as const);
  return Object.fromEntries(
    filled.filter(([name, value]) => name !== '' && name !== '__proto__' && value !== ''),
  );
}
