import { Parser } from 'htmlparser2';
import type { InputFile } from '../importer.ts';
import { decodeText, peekText } from './decode-text.ts';

const BLOCKS = new Set(
  'address article aside blockquote br center dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table td th tr ul'.split(
    ' ',
  ),
);
const HIDDEN = new Set(['script', 'style', 'head', 'title', 'template', 'noscript']);
/** A long page is parsed in pieces: replacing in a text takes memory for each match until the text is finished. */
const PIECE_CHARACTERS = 65_536;

/** Returns the visible text of a page, with a line for each block. Nothing is fetched or run. */
export function readHtmlText(html: string): string {
  const parts: string[] = [];
  let hidden = 0;
  const parser = new Parser({
    onopentagname(name) {
      if (HIDDEN.has(name)) hidden += 1;
      if (BLOCKS.has(name)) parts.push(name === 'td' || name === 'th' ? '\t' : '\n');
    },
    onclosetag(name) {
      if (HIDDEN.has(name)) hidden = Math.max(0, hidden - 1);
      if (BLOCKS.has(name) && !/^(td|th|br|hr)$/.test(name)) parts.push(name === 'p' ? '\n\n' : '\n');
    },
    ontext(text) {
      // A single space, the usual case, is not replaced by itself.
      if (hidden === 0) parts.push(text.replace(/\s{2,}|[^\S ]/g, ' '));
    },
  });
  for (let at = 0; at < html.length; at += PIECE_CHARACTERS)
    parser.write(html.slice(at, at + PIECE_CHARACTERS));
  parser.end();
  return tidy(parts.join(''));
}

function tidy(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/[ \u00a0]{2,}|\u00a0/g, ' ').trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

type HtmlEvent =
  | { readonly kind: 'open'; readonly name: string; readonly attributes: Readonly<Record<string, string>> }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'close'; readonly name: string };

/** Yields the tags and texts of an HTML file, with lower-case names. Broken HTML is read as browsers read it. */
export async function* readHtmlEvents(file: InputFile): AsyncGenerator<HtmlEvent> {
  let events: HtmlEvent[] = [];
  const parser = new Parser({
    onopentag: (name, attributes) => events.push({ kind: 'open', name, attributes }),
    ontext: (text) => events.push({ kind: 'text', text }),
    onclosetag: (name) => events.push({ kind: 'close', name }),
  });
  const charset = /<meta[^>]*charset=["']?([\w-]+)/i.exec((await peekText(file)).slice(0, 4_096))?.[1];
  const { pieces } = await decodeText(file, charset);
  for await (const piece of pieces) {
    parser.write(piece);
    yield* events;
    events = [];
  }
  parser.end();
  yield* events;
}
