import { type FoundBase64, findTagStart } from '../files/base64-parts.ts';

const DATA = Buffer.from('<data');
/** No tag is longer. Text after `<data` without an end is not a tag. */
const MAX_TAG_BYTES = 200;

/** Finds the content of the first resource. */
export function findResource(bytes: Buffer): FoundBase64 {
  for (let at = bytes.indexOf(DATA); at !== -1; at = bytes.indexOf(DATA, at + 1)) {
    const end = bytes.indexOf('>', at);
    if (end === -1)
      return bytes.length - at > MAX_TAG_BYTES
        ? { kind: 'none', end: bytes.length }
        : { kind: 'unfinished', end: at };
    const tag = bytes.toString('latin1', at, Math.min(end, at + MAX_TAG_BYTES));
    if (/^<data\s[^<]*base64["']\s*$/.test(tag)) return { kind: 'base64', end: end + 1, until: '<' };
  }
  return findTagStart(bytes, DATA);
}
