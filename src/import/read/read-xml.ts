import { SaxesParser } from 'saxes';
import type { InputFile } from '../importer.ts';
import { decodeText, peekText } from './decode-text.ts';

export type XmlEvent =
  | { readonly kind: 'open'; readonly name: string; readonly attributes: Readonly<Record<string, string>> }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'close'; readonly name: string }
  | { readonly kind: 'problem'; readonly place: string; readonly reason: string };

const MAX_DEPTH = 256;
/** How much the parser may buffer without an event, for example one endless text. */
const MAX_BUFFERED_CHARACTERS = 32 * 2 ** 20;
const MAX_PROBLEMS = 20;

/**
 * Yields the tags and texts of an XML file. Only the five predefined entities and numeric ones are replaced; a document
 * type is skipped. Reading continues after an error, and the first errors are reported.
 */
export async function* readXmlEvents(file: InputFile): AsyncGenerator<XmlEvent> {
  for await (const piece of readXmlPieces(file)) yield* piece;
}

/** Yields the events of each chunk together, which is faster than a promise per event. */
export async function* readXmlPieces(file: InputFile): AsyncGenerator<readonly XmlEvent[]> {
  const parser = new SaxesParser({ position: true });
  let events: XmlEvent[] = [];
  let depth = 0;
  let problems = 0;
  let buffered = 0;
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
    buffered = events.length > 0 ? 0 : buffered + piece.length;
    yield events;
    events = [];
    if (depth > MAX_DEPTH || buffered > MAX_BUFFERED_CHARACTERS) {
      const reason =
        depth > MAX_DEPTH ? `is nested deeper than ${MAX_DEPTH} levels` : 'has an endless element';
      yield [{ kind: 'problem', place: `line ${parser.line}`, reason: `${reason}. The rest was skipped.` }];
      return;
    }
  }
  parser.close();
  yield events;
}

const PAIR = /&#(x[\da-f]{4}|\d{5});&#(x[\da-f]{4}|\d{5});/gi;
const MAX_PAIR_CHARACTERS = 16;

/**
 * Joins surrogate pairs that phones write as two numeric entities, which are invalid in XML. A pair at the end of a chunk
 * waits for the next chunk.
 */
async function* joinPairs(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let pending = '';
  for await (const piece of pieces) {
    const text = pending + piece;
    const entityStart = text.indexOf('&#', Math.max(0, text.length - MAX_PAIR_CHARACTERS));
    const end = entityStart === -1 ? (text.endsWith('&') ? text.length - 1 : text.length) : entityStart;
    pending = text.slice(end);
    const whole = text.slice(0, end);
    yield whole.includes('&#') ? whole.replace(PAIR, joinPair) : whole;
  }
  yield pending.replace(PAIR, joinPair);
}

function joinPair(written: string, first: string, second: string): string {
  const [high, low] = [first, second].map((half) => Number(half.replace(/^x/i, '0x'))) as [number, number];
  const isPair = high >= 0xd800 && high < 0xdc00 && low >= 0xdc00 && low < 0xe000;
  return isPair ? String.fromCharCode(high, low) : written;
}

function findDeclaredEncoding(head: string): string | undefined {
  return /^\s*<\?xml[^>]*\sencoding=["']([\w-]+)["']/.exec(head)?.[1];
}
