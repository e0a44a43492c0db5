import { type FoundBase64, findTagStart } from '../files/base64-parts.ts';

const PART = Buffer.from('<part');
/** A part with a longer text before its data is read as it is. */
const MAX_TAG_BYTES = 2 ** 20;
const USUAL_TAG_BYTES = 4_096;
/** No attribute has a longer name. Text that only looks like a tag must not be searched again and again. */
const MAX_NAME_CHARACTERS = 200;

/** Finds the attribute `data` of the first part of a message. Other attributes may contain the same characters. */
export function findPartData(bytes: Buffer): FoundBase64 {
  for (let at = bytes.indexOf(PART); at !== -1; at = bytes.indexOf(PART, at + 1)) {
    const short = findData(bytes.subarray(at, at + USUAL_TAG_BYTES));
    const found = short === 'unfinished' ? findData(bytes.subarray(at, at + MAX_TAG_BYTES)) : short;
    if (found === 'unfinished' && bytes.length - at < MAX_TAG_BYTES) return { kind: found, end: at };
    if (typeof found === 'object') return { kind: 'base64', end: at + found.end, until: found.until };
  }
  return findTagStart(bytes, PART);
}

/** A missing value. */
const NONE = 'null';
const ATTRIBUTE = /\s+([\w:.-]+)\s*=\s*(["'])/y;

/** Reads the attributes of a tag up to its data. Returns undefined for another tag and one without data. */
function findData(tag: Buffer): { end: number; until: '"' | "'" } | 'unfinished' | undefined {
  const text = tag.toString('latin1');
  let at = PART.length;
  for (;;) {
    ATTRIBUTE.lastIndex = at;
    const found = ATTRIBUTE.exec(text);
    if (found === null) {
      const isName = text.length - at <= MAX_NAME_CHARACTERS && /^[\s\w:.=-]*$/.test(text.slice(at));
      return isName ? 'unfinished' : undefined;
    }
    const [, name, quote] = found as unknown as [string, string, '"' | "'"];
    const end = text.indexOf(quote, ATTRIBUTE.lastIndex);
    const start = ATTRIBUTE.lastIndex;
    if (name === 'data' && text.length - start > NONE.length)
      return end === start || text.startsWith(`${NONE}${quote}`, start)
        ? undefined
        : { end: start, until: quote };
    if (end === -1) return 'unfinished';
    at = end + 1;
  }
}
