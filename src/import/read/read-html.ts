import { Parser } from 'htmlparser2';
import type { InputFile } from '../importer.ts';
import { decodeText, peekText } from './decode-text.ts';

export type HtmlEvent =
  | { readonly kind: 'open'; readonly name: string; readonly attributes: Readonly<Record<string, string>> }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'close'; readonly name: string };

/** The tags and texts of an HTML file as they stream by, names in small letters. Broken HTML is read as browsers do. */
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
