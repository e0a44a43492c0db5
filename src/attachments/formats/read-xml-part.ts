import { SaxesParser } from 'saxes';
import { Unreadable } from '../file-text.ts';

export interface XmlHandlers {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
}

const MAX_DEPTH = 256;
/** The parser buffers a text until its end, so an endless one would fill the memory. */
const MAX_BUFFERED_CHARACTERS = 16 * 2 ** 20;

/**
 * Parses a part of a document. Names come without prefix: `w:t` is `t`. Only predefined and numeric entities are
 * replaced, and nothing is loaded. Throws `damaged` at the first error.
 */
export async function readXmlPart(chunks: AsyncIterable<Uint8Array>, handlers: XmlHandlers): Promise<void> {
  const parser = new SaxesParser();
  let depth = 0;
  let buffered = 0;
  parser.on('error', () => {
    throw new Unreadable('damaged');
  });
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1;
    buffered = 0;
    if (depth > MAX_DEPTH) throw new Unreadable('damaged');
    handlers.open?.(withoutPrefix(name), attributes as Record<string, string>);
  });
  parser.on('closetag', ({ name }) => {
    depth -= 1;
    buffered = 0;
    handlers.close?.(withoutPrefix(name));
  });
  const addText = (text: string) => handlers.text?.(text);
  parser.on('text', addText);
  parser.on('cdata', addText);
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  for await (const chunk of chunks) {
    decoder ??= new TextDecoder(findEncoding(chunk));
    const text = decoder.decode(chunk, { stream: true });
    buffered += text.length;
    if (buffered > MAX_BUFFERED_CHARACTERS) throw new Unreadable('too_large');
    parser.write(text);
  }
  if (decoder !== undefined) parser.close();
}

function findEncoding([a, b]: Uint8Array): string {
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  return a === 0xfe && b === 0xff ? 'utf-16be' : 'utf-8';
}

const withoutPrefix = (name: string) => name.slice(name.indexOf(':') + 1);
