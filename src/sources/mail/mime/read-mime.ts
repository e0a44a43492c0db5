import { type Address, addressParser, decodeWords } from 'postal-mime';
import { decodeContent, measureContent } from './decode-content.ts';
import { memoize } from './memoize.ts';
import type { Header } from './read-headers.ts';
import { type Part, splitParts } from './split-parts.ts';

export interface Mail {
  readonly headers: readonly Header[];
  readonly from: Address | undefined;
  readonly to: readonly Address[];
  readonly cc: readonly Address[];
  readonly bcc: readonly Address[];
  readonly subject: string | undefined;
  readonly messageId: string | undefined;
  readonly text: string | undefined;
  /** Set only for mails without plain text. */
  readonly html: string | undefined;
  readonly attachments: readonly MailFile[];
}

export interface MailFile {
  readonly name: string | undefined;
  readonly mediaType: string;
  readonly bytes: number;
  /** Decodes the file. */
  content(): Uint8Array | undefined;
}

const readAddresses: (text: string) => readonly Address[] = memoize((text) => addressParser(text));

/**
 * Reads a well-formed mail, as nearly all are, and decodes only what it needs: attachments are measured, and HTML is
 * skipped if there is text. Returns undefined for other mails. The result equals that of postal-mime.
 */
export function readMime(raw: Buffer): Mail | undefined {
  const root = splitParts(raw);
  if (root === undefined) return undefined;
  const leaves = new Leaves(raw);
  if (!leaves.add(root, undefined)) return undefined;
  const body = leaves.readBody();
  if (body === undefined) return undefined;
  const { headers } = root;
  const find = (name: string) => headers.find(({ key }) => key === name)?.value || undefined;
  const list = (name: string) =>
    headers.flatMap(({ key, value }) => (key === name && value !== '' ? readAddresses(value) : []));
  const [subject, messageId, from] = [find('subject'), find('message-id'), find('from')];
  return {
    headers,
    from: from === undefined ? undefined : readAddresses(from)[0],
    to: list('to'),
    cc: list('cc'),
    bcc: list('bcc'),
    subject: subject === undefined ? undefined : decodeWords(subject),
    messageId: messageId === undefined ? undefined : decodeWords(messageId),
    ...body,
    attachments: leaves.files,
  };
}

/** The parts with the same text, in two formats. */
interface Alternatives {
  readonly plain: Part[];
  readonly html: Part[];
}

/** The leaf parts of a mail: bodies and attachments. */
class Leaves {
  readonly files: MailFile[] = [];
  readonly #raw: Buffer;
  /** Keyed by the multipart/alternative around the text, or by the text part itself. */
  readonly #texts = new Map<Part, Alternatives>();

  constructor(raw: Buffer) {
    this.#raw = raw;
  }

  /** Adds a part and its children. Returns false if one of them is not well-formed. */
  add(part: Part, group: Part | undefined): boolean {
    if (part.multipart === undefined) return this.#addLeaf(part, group ?? part);
    const inner = part.multipart === 'alternative' ? part : group;
    return part.parts.every((one) => this.add(one, inner));
  }

  #addLeaf(part: Part, group: Part): boolean {
    const { type, disposition, encoding } = part;
    const isHtml = type.value === 'text/html';
    if ((isHtml || type.value === 'text/plain') && disposition.value !== 'attachment') {
      const alternatives = this.#texts.get(group) ?? { plain: [], html: [] };
      this.#texts.set(group, alternatives);
      alternatives[isHtml ? 'html' : 'plain'].push(part);
      return true;
    }
    // The library measures invitations by text, not by bytes.
    if (type.value === 'text/calendar' || type.value === 'application/ics') return false;
    const encoded = this.#raw.subarray(part.start, part.end);
    const bytes = measureContent(encoded, encoding);
    if (bytes === undefined) return false;
    const name = disposition.params.filename || type.params.name || undefined;
    this.files.push({
      name: name === undefined ? undefined : decodeWords(name),
      mediaType: type.value,
      bytes,
      content: () => decodeContent(encoded, encoding),
    });
    return true;
  }

  /** Returns undefined if one alternative must be converted to the other, or is not well-formed. */
  readBody() {
    const all = [...this.#texts.values()];
    const hasText = all.some(({ plain }) => plain.length > 0);
    const text = hasText ? this.#join(all.map(({ plain }) => plain)) : '';
    if (text === undefined) return undefined;
    const hasHtml = all.some(({ html }) => html.length > 0);
    if (!hasHtml || text.trim() !== '') return { text: text || undefined, html: undefined };
    const html = this.#join(all.map((alternatives) => alternatives.html));
    return html === undefined ? undefined : { text: text || undefined, html: html || undefined };
  }

  #join(texts: readonly (readonly Part[])[]): string | undefined {
    const read = texts.flatMap((parts) =>
      parts.length === 0 ? [undefined] : parts.map((part) => this.#readText(part)),
    );
    return read.includes(undefined) ? undefined : read.join('\n');
  }

  #readText({ type: { params }, encoding, start, end }: Part): string | undefined {
    const bytes = decodeContent(this.#raw.subarray(start, end), encoding);
    const text = bytes === undefined ? undefined : decodeCharset(bytes, params.charset);
    if (text === undefined || params.format?.toLowerCase() !== 'flowed') return text;
    return unflow(text, params.delsp?.toLowerCase() === 'yes');
  }
}

const decoders = new Map<string, InstanceType<typeof TextDecoder> | undefined>();
/** Charset names come from mails, so the cache is limited to the number of encodings. */
const MAX_LABELS = 300;

/** Decodes text in the named charset. Returns undefined if the platform does not know the charset. */
function decodeCharset(bytes: Buffer, label: string | undefined): string | undefined {
  const name = (label || 'utf-8').trim().toLowerCase();
  if (!decoders.has(name)) {
    if (decoders.size >= MAX_LABELS) return undefined;
    decoders.set(name, createDecoder(name));
  }
  return decoders.get(name)?.decode(bytes);
}

function createDecoder(name: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(name);
  } catch {
    return undefined;
  }
}

/** RFC 3676: a line that ends in a space continues, and a leading space is stuffing. */
function unflow(text: string, isSpaceAdded: boolean): string {
  const pieces: string[] = [];
  let lineLength = 0;
  let lineBegins = 0;
  for (const [index, written] of text.split(/\r?\n/).entries()) {
    if (index > 0) {
      const last = pieces.at(-1) ?? '';
      // Two hyphens and a space are a signature line.
      const isSignature = lineLength === 3 && pieces.slice(lineBegins).join('') === '-- ';
      if (last.endsWith(' ') && !isSignature) {
        if (isSpaceAdded) {
          pieces.pop();
          if (last.length > 1) pieces.push(last.slice(0, -1));
          lineLength -= 1;
        }
      } else {
        pieces.push('\n');
        lineBegins = pieces.length;
        lineLength = 0;
      }
    }
    const line = written.startsWith(' ') ? written.slice(1) : written;
    if (line !== '') pieces.push(line);
    lineLength += line.length;
  }
  return pieces.join('');
}
