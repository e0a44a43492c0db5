import { type Header, readHeaders, readStructured, type Structured } from './read-headers.ts';

/** A part of a mail, or the mail itself. `start` and `end` delimit its content. */
export interface Part {
  readonly headers: readonly Header[];
  readonly type: Structured;
  readonly disposition: Structured;
  readonly encoding: string;
  /** The subtype after `multipart/`; undefined for leaf parts. */
  readonly multipart: string | undefined;
  readonly parts: Part[];
  readonly start: number;
  end: number;
}

/** The library handles larger mails. */
const MAX_DEPTH = 16;
const MAX_HEADER_BYTES = 2 ** 19;

interface Boundary {
  readonly text: Buffer;
  readonly part: Part;
}

/**
 * Finds the parts of a mail by their boundaries, without reading their content. Returns undefined if the mail is
 * not well-formed.
 */
export function splitParts(raw: Buffer): Part | undefined {
  const open: Boundary[] = [];
  let headerBytes = 0;

  const readPart = (from: number): { part: Part; next: number } | undefined => {
    const { end, next } = findHeaderEnd(raw, from, open);
    headerBytes += end - from;
    const part = describePart(readHeaders(raw.subarray(from, end)), next);
    if (part === undefined || headerBytes > MAX_HEADER_BYTES || open.length > MAX_DEPTH) return undefined;
    const boundary = part.type.params.boundary;
    // Headers that end at a boundary have no content.
    if (part.multipart !== undefined && boundary !== undefined && boundary !== '' && next > end)
      open.push({ text: Buffer.from(boundary), part });
    return { part, next };
  };

  const root = readPart(0);
  if (root === undefined) return undefined;
  let current: Part | undefined = root.part;
  for (let at = root.next; ; ) {
    const found = findBoundary(raw, at, open);
    if (current !== undefined) current.end = found?.start ?? raw.length;
    if (found === undefined) return root.part;
    open.length = found.index + (found.isLast ? 0 : 1);
    current = undefined;
    at = found.next;
    if (found.isLast) continue;
    const child = readPart(found.next);
    if (child === undefined) return undefined;
    found.part.parts.push(child.part);
    current = child.part;
    at = child.next;
  }
}

function describePart(headers: readonly Header[] | undefined, start: number): Part | undefined {
  if (headers === undefined) return undefined;
  const find = (name: string) => headers.find(({ key }) => key === name)?.value;
  const type = readStructured(find('content-type') ?? 'text/plain');
  const disposition = readStructured(find('content-disposition') ?? '');
  const encoding = (find('content-transfer-encoding') ?? '8bit').toLowerCase();
  if (type === undefined || disposition === undefined || /[("\\]/.test(encoding)) return undefined;
  if (!isAscii(type.params.boundary ?? '')) return undefined;
  // The library merges a nested mail into the outer text; a digest contains only nested mails.
  if (/^(?:|message\/.*|multipart\/(?:digest)?)$/.test(type.value)) return undefined;
  const multipart = type.value.startsWith('multipart/') ? type.value.slice('multipart/'.length) : undefined;
  return {
    headers,
    type,
    disposition,
    encoding: /[\w-]+/.exec(encoding)?.[0] ?? '',
    multipart,
    parts: [],
    start,
    end: start,
  };
}

/** Headers end at an empty line or before a boundary. */
function findHeaderEnd(raw: Buffer, from: number, open: readonly Boundary[]): { end: number; next: number } {
  for (let line = from; line < raw.length; ) {
    const newline = raw.indexOf(0x0a, line);
    const end = newline < 0 ? raw.length : newline;
    let last = end;
    while (last > line && raw[last - 1] === 0x0d) last -= 1;
    if (last === line && newline >= 0) return { end: line, next: newline + 1 };
    if (raw[line] === 0x2d && matchBoundary(raw, line, open) !== undefined) return { end: line, next: line };
    line = end + 1;
  }
  return { end: raw.length, next: raw.length };
}

interface FoundBoundary {
  readonly part: Part;
  readonly index: number;
  /** The start of its line. */
  readonly start: number;
  readonly next: number;
  readonly isLast: boolean;
}

function findBoundary(raw: Buffer, from: number, open: readonly Boundary[]): FoundBoundary | undefined {
  if (open.length === 0) return undefined;
  for (let at = Math.max(0, from - 1); ; ) {
    const found = raw.indexOf('\n--', at);
    if (found < 0) return undefined;
    const boundary = matchBoundary(raw, found + 1, open);
    if (boundary !== undefined) return boundary;
    at = found + 1;
  }
}

/**
 * RFC 2046 §5.1.1: two hyphens, the boundary, two more after the last part, then optional spaces. The innermost
 * wins.
 */
function matchBoundary(raw: Buffer, start: number, open: readonly Boundary[]): FoundBoundary | undefined {
  if (raw[start + 1] !== 0x2d) return undefined;
  for (let index = open.length - 1; index >= 0; index--) {
    const boundary = open[index] as Boundary;
    const end = start + 2 + boundary.text.length;
    if (raw.compare(boundary.text, 0, boundary.text.length, start + 2, Math.min(end, raw.length)) !== 0)
      continue;
    const isLast = raw[end] === 0x2d && raw[end + 1] === 0x2d;
    let at = isLast ? end + 2 : end;
    while (raw[at] === 0x20 || raw[at] === 0x09) at += 1;
    while (raw[at] === 0x0d) at += 1;
    if (at < raw.length && raw[at] !== 0x0a) continue;
    return { part: boundary.part, index, start, next: Math.min(at + 1, raw.length), isLast };
  }
  return undefined;
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}
