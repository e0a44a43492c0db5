import { SaxesParser } from 'saxes';
import type { InputFile } from '../importer.ts';
import { decodeText, peekText } from './decode-text.ts';

export type XmlEvent =
  | { readonly kind: 'open'; readonly name: string; readonly attributes: Readonly<Record<string, string>> }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'close'; readonly name: string }
  | { readonly kind: 'problem'; readonly place: string; readonly reason: string };

const MOST_DEPTH = 256;
/** What a parser may hold back without saying anything, such as one endless text. */
const MOST_HELD = 32 * 2 ** 20;
const MOST_PROBLEMS = 20;

/**
 * The tags and texts of an XML file. Entities stay as they are written but for the five of XML and those of
 * numbers; a document type is skipped. After a slip it goes on as well as it can, and names the first of them.
 */
export async function* readXmlEvents(file: InputFile): AsyncGenerator<XmlEvent> {
  const parser = new SaxesParser({ position: true });
  let events: XmlEvent[] = [];
  let depth = 0;
  let problems = 0;
  let held = 0;
  const report = (reason: string) => {
    problems += 1;
    if (problems <= MOST_PROBLEMS) events.push({ kind: 'problem', place: `line ${parser.line}`, reason });
  };
  parser.on('error', () => report('is not well-formed XML'));
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1;
    events.push({ kind: 'open', name, attributes: attributes as Record<string, string> });
  });
  parser.on('text', (text) => events.push({ kind: 'text', text }));
  parser.on('cdata', (text) => events.push({ kind: 'text', text }));
  parser.on('closetag', ({ name }) => {
    depth -= 1;
    events.push({ kind: 'close', name });
  });
  const { pieces } = await decodeText(file, findDeclaredEncoding(await peekText(file)));
  for await (const piece of pieces) {
    parser.write(piece);
    held = events.length > 0 ? 0 : held + piece.length;
    yield* events;
    events = [];
    if (depth > MOST_DEPTH || held > MOST_HELD) {
      const reason =
        depth > MOST_DEPTH ? `is nested deeper than ${MOST_DEPTH} levels` : 'has an endless part';
      yield { kind: 'problem', place: `line ${parser.line}`, reason: `${reason}; the rest was left out` };
      return;
    }
  }
  parser.close();
  yield* events;
}

function findDeclaredEncoding(head: string): string | undefined {
  return /^\s*<\?xml[^>]*\sencoding=["']([\w-]+)["']/.exec(head)?.[1];
}
