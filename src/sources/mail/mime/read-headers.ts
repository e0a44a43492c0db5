import { memoize } from './memoize.ts';

export interface Header {
  readonly key: string;
  readonly value: string;
}

/** A structured header: `text/plain; charset=utf-8` as value and parameters. */
export interface Structured {
  readonly value: string;
  readonly params: Readonly<Record<string, string>>;
}

/** The headers that records use. A mail has fifty others. */
const USED = new Set(
  'from to cc bcc subject message-id in-reply-to references date received x-gmail-labels x-keywords x-gm-thrid status x-mozilla-status content-type content-transfer-encoding content-disposition'.split(
    ' ',
  ),
);

/** Reads the headers before the empty line. Returns undefined if a name is broken over two lines. */
export function readHeaders(block: Buffer): Header[] | undefined {
  const headers: Header[] = [];
  let key = '';
  let value: string | undefined;
  let isNamed = true;
  const put = () => {
    if (value !== undefined) headers.push({ key, value: trim(value.replace(/[\r\n]+/g, ' ')) });
    value = undefined;
  };
  let isFirst = true;
  for (const line of block.toString('utf8').split('\n')) {
    const first = line.charCodeAt(0);
    if ((first === 0x20 || first === 0x09) && !isFirst) {
      if (!isNamed) return undefined;
      if (value !== undefined) value += withoutReturns(line);
      continue;
    }
    isFirst = false;
    put();
    const colon = line.indexOf(':');
    isNamed = colon >= 0;
    key = trim(colon < 0 ? withoutReturns(line) : line.slice(0, colon)).toLowerCase();
    if (USED.has(key)) value = colon < 0 ? '' : withoutReturns(line.slice(colon + 1));
  }
  put();
  return headers;
}

const TOKEN = '[^\\s"();\\\\]+';
const PLAIN = new RegExp(
  `^[ \\t]*(${TOKEN})[ \\t]*((?:;[ \\t]*[\\w-]+[ \\t]*=[ \\t]*(?:"[^"\\\\]*"|${TOKEN})[ \\t]*)*);?[ \\t]*$`,
);
const PARAMETER = new RegExp(`;[ \\t]*([\\w-]+)[ \\t]*=[ \\t]*(?:"([^"\\\\]*)"|(${TOKEN}))`, 'g');

/** Parses a plain structured header; undefined for comments, escapes or continuations (RFC 2231). */
export const readStructured = memoize((text: string): Structured | undefined => {
  if (text === '') return { value: '', params: {} };
  const match = PLAIN.exec(text);
  if (match === null) return undefined;
  const params: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [, name = '', quoted, token] of (match[2] as string).matchAll(PARAMETER))
    params[name.toLowerCase()] ??= quoted ?? (token as string);
  return { value: (match[1] as string).toLowerCase(), params };
});

function withoutReturns(line: string): string {
  let end = line.length;
  while (end > 0 && line.charCodeAt(end - 1) === 0x0d) end -= 1;
  return end === line.length ? line : line.slice(0, end);
}

/** Removes only the spaces of RFC 5322. A name with another kind of space is a different name. */
function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charCodeAt(start))) start += 1;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

const isSpace = (code: number) => code === 0x20 || code === 0x09;
