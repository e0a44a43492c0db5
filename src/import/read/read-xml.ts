import { SaxesParser } from 'saxes';
import type { InputFile } from '../importer.ts';
import { decodeText, peekText } from './decode-text.ts';

export type XmlEvent =
  | { readonly kind: 'open'; readonly name: string; readonly attributes: Readonly<Record<string, string>> }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'close'; readonly name: string }
  | { readonly kind: 'problem'; readonly place: string; readonly reason: string };

const MAX_DEPTH = 256;
/** What a parser may hold back without saying anything, such as one endless text. */
const MAX_HELD = 32 * 2 ** 20;
const MAX_PROBLEMS = 20;

/**
 * The tags and texts of an XML file. Entities stay as they are written but for the five of XML and those of
 * numbers; a document type is skipped. After a slip it goes on as well as it can, and names the first of them.
 */
export async function* readXmlEvents(file: InputFile): AsyncGenerator<XmlEvent> {
  for await (const piece of readXmlPieces(file)) yield* piece;
}

/** The same, as many together as a piece of the file holds: a promise for each would cost more than to read it. */
export async function* readXmlPieces(file: InputFile): AsyncGenerator<readonly XmlEvent[]> {
  const parser = new SaxesParser({ position: true });
  let events: XmlEvent[] = [];
  let depth = 0;
  let problems = 0;
  let held = 0;
  const report = (reason: string) => {
    problems += 1;
    if (problems <= MAX_PROBLEMS) events.push({ kind: 'problem', place: `line ${parser.line}`, reason });
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
  for await (const piece of joinPairs(pieces)) {
    parser.write(piece);
    held = events.length > 0 ? 0 : held + piece.length;
    yield events;
    events = [];
    if (depth > MAX_DEPTH || held > MAX_HELD) {
      const reason = depth > MAX_DEPTH ? `is nested deeper than ${MAX_DEPTH} levels` : 'has an endless part';
      yield [{ kind: 'problem', place: `line ${parser.line}`, reason: `${reason}; the rest was left out` }];
      return;
    }
  }
  parser.close();
  yield events;
}

const PAIR = /&#(x[\da-f]{4}|\d{5});&#(x[\da-f]{4}|\d{5});/gi;
/** As long as two numbers can be. */
const LONGEST_PAIR = 16;

/**
 * Phones write an emoji as the numbers of its two halves, of which XML knows neither. Numbers that are cut in two by
 * the end of a piece wait for the next.
 */
async function* joinPairs(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let waiting = '';
  for await (const piece of pieces) {
    const text = waiting + piece;
    const begun = text.indexOf('&#', Math.max(0, text.length - LONGEST_PAIR));
    const end = begun === -1 ? (text.endsWith('&') ? text.length - 1 : text.length) : begun;
    waiting = text.slice(end);
    const whole = text.slice(0, end);
    yield whole.includes('&#') ? whole.replace(PAIR, joinPair) : whole;
  }
  yield waiting.replace(PAIR, joinPair);
}

function joinPair(written: string, first: string, second: string): string {
  const [high, low] = [first, second].map((half) => Number(half.replace(/^x/i, '0x'))) as [number, number];
  const isPair = high >= 0xd800 && high < 0xdc00 && low >= 0xdc00 && low < 0xe000;
  return isPair ? String.fromCharCode(high, low) : written;
}

function findDeclaredEncoding(head: string): string | undefined {
  return /^\s*<\?xml[^>]*\sencoding=["']([\w-]+)["']/.exec(head)?.[1];
}
