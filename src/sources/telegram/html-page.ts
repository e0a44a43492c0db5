import type { InputFile } from '../../import/importer.ts';
import { readHtmlEvents } from '../../import/read/html-text.ts';
import { type PageItem, PageState } from './page-state.ts';

/** Elements without an end tag. */
const VOID = new Set(['br', 'img', 'meta', 'link', 'hr', 'input', 'source']);

/** Yields the messages of one `messages.html`. Only the current message is held in memory. */
export async function* readTelegramPage(file: InputFile): AsyncGenerator<PageItem> {
  const state = new PageState();
  for await (const event of readHtmlEvents(file)) {
    if (event.kind === 'text') state.addText(event.text);
    else if (event.kind === 'open') {
      state.open(event.name, event.attributes);
      if (VOID.has(event.name)) state.close();
    } else if (!VOID.has(event.name)) {
      const item = state.close();
      if (item !== undefined) yield item;
    }
  }
}

/** Returns the page header: the name of the chat or list. */
export function findPageTitle(head: string): string | undefined {
  const header = /class="page_header[\s\S]{0,2000}?class="text bold"[^>]*>([^<]*)</.exec(head)?.[1];
  const title = header === undefined ? undefined : decodeEntities(header).trim();
  return title === '' ? undefined : title;
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Telegram Desktop writes these five and `&#39;`. */
const decodeEntities = (text: string) =>
  text.replace(/&(?:#(\d{1,6})|(amp|lt|gt|quot|apos));/g, (_, code?: string, name?: string) =>
    code === undefined ? (NAMED[name ?? ''] ?? '') : String.fromCodePoint(Number(code)),
  );

/** Reads the `label: value` rows about the owner in `export_results.html`. */
export function findOwnerRows(head: string): Map<string, string> {
  const rows = /class="label details"[^>]*>([^<]*)<\/div>\s*<div class="value bold"[^>]*>([^<]*)</g;
  return new Map(
    [...head.matchAll(rows)].map(([, label = '', value = '']) => [
      decodeEntities(label).trim().toLowerCase(),
      decodeEntities(value).trim(),
    ]),
  );
}
