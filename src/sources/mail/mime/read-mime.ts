import { type Address, addressParser, decodeWords } from 'postal-mime';
import { decodeCharset } from './decode-charset.ts';
import { decodeContent, measureContent } from './decode-content.ts';
import type { Header } from './read-headers.ts';
import { recall } from './recall.ts';
import { type Part, splitParts } from './split-parts.ts';
import { unflow } from './unflow.ts';

/** What is kept of a mail, however it was read. */
export interface Mail {
  readonly headers: readonly Header[];
  readonly from: Address | undefined;
  readonly to: readonly Address[];
  readonly cc: readonly Address[];
  readonly bcc: readonly Address[];
  readonly subject: string | undefined;
  readonly messageId: string | undefined;
  readonly text: string | undefined;
  /** Only needed where there is no text. */
  readonly html: string | undefined;
  readonly attachments: readonly MailFile[];
}

export interface MailFile {
  readonly name: string | undefined;
  readonly mediaType: string;
  readonly bytes: number;
}

const readAddresses: (text: string) => readonly Address[] = recall((text) => addressParser(text));

/**
 * Reads a mail that says plainly what it is made of, which nearly all do, and touches only the bytes it needs: files
 * are measured and not decoded. Undefined for all others; what it gives is what the library would give.
 */
export function readMime(raw: Buffer): Mail | undefined {
  const root = splitParts(raw);
  if (root === undefined) return undefined;
  const collected = new Collected(raw);
  if (!collected.add(root, undefined)) return undefined;
  const body = collected.readBody();
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
    attachments: collected.files,
  };
}

type Texts = { plain: string[] | undefined; html: string[] | undefined };

/** Sorts the leaves of a mail into what is read and what only came with it. */
class Collected {
  readonly files: MailFile[] = [];
  readonly #raw: Buffer;
  /** By the choice between two forms that a text belongs to, or by itself. */
  readonly #texts = new Map<Part, Texts>();

  constructor(raw: Buffer) {
    this.#raw = raw;
  }

  /** Takes a part and all in it; false where one of them cannot be read plainly. */
  add(part: Part, alternative: Part | undefined): boolean {
    if (part.multipart === undefined) return this.#addLeaf(part, alternative);
    const inner = part.multipart === 'alternative' ? part : alternative;
    return part.parts.every((one) => this.add(one, inner));
  }

  #addLeaf(part: Part, alternative: Part | undefined): boolean {
    const { type, disposition, encoding } = part;
    const content = this.#raw.subarray(part.start, part.end);
    const isRead = type.value === 'text/plain' || type.value === 'text/html';
    if (isRead && disposition.value !== 'attachment') {
      const text = readText(content, part);
      if (text === undefined) return false;
      const place = alternative ?? part;
      const texts = this.#texts.get(place) ?? { plain: undefined, html: undefined };
      this.#texts.set(place, texts);
      const form = type.value === 'text/html' ? 'html' : 'plain';
      texts[form] = [...(texts[form] ?? []), text];
      return true;
    }
    // The library measures invitations by their text and not by their bytes.
    if (type.value === 'text/calendar' || type.value === 'application/ics') return false;
    const bytes = measureContent(content, encoding);
    if (bytes === undefined) return false;
    const name = disposition.params.filename || type.params.name || undefined;
    this.files.push({
      name: name === undefined ? undefined : decodeWords(name),
      mediaType: type.value,
      bytes,
    });
    return true;
  }

  /** Undefined where one form would have to be made of the other. */
  readBody(): { text: string | undefined; html: string | undefined } | undefined {
    const all = [...this.#texts.values()];
    const text = join(all, 'plain');
    const html = join(all, 'html');
    if (text === null) return undefined;
    if (html === null)
      return text === undefined || text.trim() === '' ? undefined : { text, html: undefined };
    return { text, html };
  }
}

/** All texts of a form; undefined where there is none, null where a part has only the other. */
function join(all: readonly Texts[], form: keyof Texts): string | undefined | null {
  if (all.every((texts) => texts[form] === undefined)) return undefined;
  if (all.some((texts) => texts[form] === undefined)) return null;
  return all.flatMap((texts) => texts[form] ?? []).join('\n') || undefined;
}

function readText(content: Buffer, { type, encoding }: Part): string | undefined {
  const bytes = decodeContent(content, encoding);
  const text = bytes === undefined ? undefined : decodeCharset(bytes, type.params.charset);
  if (text === undefined || type.params.format?.toLowerCase() !== 'flowed') return text;
  return unflow(text, type.params.delsp?.toLowerCase() === 'yes');
}
