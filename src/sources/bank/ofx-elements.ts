/** The tokens of OFX, read the same way from SGML without closing tags and from XML. */
export type OfxEvent =
  | { readonly kind: 'open' | 'close'; readonly name: string }
  | { readonly kind: 'value'; readonly name: string; readonly value: string };

/** No field is longer. A longer text without a tag is not OFX. */
const MAX_CHARACTERS = 1_000_000;
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };
const SKIPPED = /<(?:!--[\s\S]*?--|\?[\s\S]*?\?|!(?!\[CDATA\[|--)[^>]*)>/y;
const TAG = /<([^<>]*)>((?:[^<]|<!\[CDATA\[[\s\S]*?\]\]>)*)(?=<(?!!\[CDATA\[))/y;

/**
 * Yields the tokens of a file. A tag followed by text is an element, and its closing tag is optional. A tag followed
 * by a tag opens an aggregate.
 */
export async function* readOfxEvents(pieces: AsyncIterable<string>): AsyncGenerator<OfxEvent> {
  let rest = '';
  let last: string | undefined;
  for await (const piece of pieces) {
    rest += piece;
    let at = 0;
    for (let token = takeToken(rest, at); token !== undefined; token = takeToken(rest, at)) {
      at = token.end;
      if (token.tag === undefined || token.tag.endsWith('/')) continue;
      const event = readToken(token.tag, token.text);
      // An element with a value is already closed.
      if (event.kind !== 'close' || event.name !== last) yield event;
      last = event.kind === 'value' ? event.name : undefined;
    }
    rest = rest.slice(at);
    if (rest.length > MAX_CHARACTERS) rest = '';
  }
  // Nothing follows the last closing tag.
  const end = /^<\/([^<>]+)>/.exec(rest)?.[1];
  if (end !== undefined) yield { kind: 'close', name: end.trim().toUpperCase() };
}

/** Returns one tag with its text. Returns undefined until the start of the next tag is in the buffer. */
function takeToken(rest: string, from: number) {
  const start = rest.indexOf('<', from);
  if (start === -1) return undefined;
  SKIPPED.lastIndex = start;
  if (SKIPPED.test(rest)) return { end: SKIPPED.lastIndex, text: '' };
  if (rest[start + 1] === '!' || rest[start + 1] === '?') return undefined;
  TAG.lastIndex = start;
  const found = TAG.exec(rest);
  if (found !== null) return { end: TAG.lastIndex, tag: found[1] as string, text: found[2] as string };
  const next = rest.slice(start + 1).search(/[<>]/);
  // A bracket that opens no tag is text that should have been an entity.
  return next !== -1 && rest[start + 1 + next] === '<' ? { end: start + 1, text: '' } : undefined;
}

function readToken(tag: string, text: string): OfxEvent {
  if (tag.startsWith('/')) return { kind: 'close', name: tag.slice(1).trim().toUpperCase() };
  const name = tag.trim().split(/\s/)[0]?.toUpperCase() ?? '';
  const value = decode(text).trim();
  return value === '' ? { kind: 'open', name } : { kind: 'value', name, value };
}

function decode(text: string): string {
  const plain = text.replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, '$1');
  // Many banks escape their text twice.
  return decodeEntities(decodeEntities(plain));
}

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,4}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
