import type { ImportItem, ImportOptions, InputFile, Recognised } from '../../import/importer.ts';
import { openScratch, type Scratch } from '../../store/sqlite/scratch.ts';
import { makeNote, makeProblem, makeRecord, withFiles } from '../files/import-items.ts';
import { SeenKeys } from '../files/seen-keys.ts';
import { hashContent, makeMailId, makeMessage, parseFacts } from './make-message.ts';
import { type MailFacts, readEnvelopeTime } from './message-record.ts';
import { findAddressee } from './recognise-mail.ts';
import { MAX_MESSAGE_BYTES, type MboxMessage, splitMbox } from './split-mbox.ts';
import { ThreadTally } from './thread-tally.ts';

/** Limits the owner's addresses. More of them come from mailing lists or mistakes. */
const MAX_OWN_ADDRESSES = 10;

export async function* readMail(
  { files }: Recognised,
  { timeZone }: ImportOptions,
): AsyncGenerator<ImportItem> {
  const scratch = openScratch();
  try {
    const tally = new ThreadTally(scratch);
    const reader = new MailReader(scratch, tally);
    for (const file of files) {
      const addressee = await findAddressee(file);
      if (addressee !== undefined) yield* reader.addSelf(addressee);
    }
    for (const file of files) {
      reader.begin(file);
      for await (const messages of await openMessages(file)) {
        for (const message of messages) {
          // Awaiting costs more than parsing most mails, so only the library is awaited.
          const parsed = parseFacts(message.raw, timeZone);
          const facts = parsed instanceof Promise ? await parsed : parsed;
          for (const item of reader.take(message, facts)) yield item;
        }
      }
      yield* reader.end();
    }
    for (const { data, file } of tally.list()) yield makeRecord(file, 'threads', data);
  } finally {
    scratch.close();
  }
}

class MailReader {
  readonly #tally: ThreadTally;
  readonly #seen: SeenMails;
  readonly #ownAddresses = new Set<string>();
  #file: InputFile | undefined;
  #mailbox: { folder: string | undefined; isUnread?: boolean } = { folder: undefined };
  #number = 0;
  #copies = 0;

  constructor(scratch: Scratch, tally: ThreadTally) {
    this.#tally = tally;
    this.#seen = new SeenMails(scratch);
  }

  begin(file: InputFile): void {
    this.#file = file;
    this.#mailbox = { folder: findFolder(file), ...findFlags(file) };
    this.#number = 0;
    this.#copies = 0;
  }

  take(message: MboxMessage, facts: MailFacts | undefined): ImportItem[] {
    const file = this.#file as InputFile;
    const items: ImportItem[] = [];
    this.#number += 1;
    const place = `message ${this.#number}`;
    if (message.bytes > MAX_MESSAGE_BYTES) {
      const reason = `is larger than ${MAX_MESSAGE_BYTES / 2 ** 20} MB; only its beginning was imported`;
      items.push(makeProblem(file, reason, place));
    }
    if (facts === undefined) return [...items, makeProblem(file, 'cannot be read as mail', place)];
    if (facts.isSent && facts.fromAddress !== undefined) items.push(...this.addSelf(facts.fromAddress));
    const id = this.#seen.findKey(facts, message);
    if (id === undefined) {
      this.#copies += 1;
      return items;
    }
    const threadId =
      facts.gmailThread ?? this.#tally.findRoot(facts.messageId ?? id, facts.references, facts.inReplyTo);
    const { people, fields } = facts;
    const sentAt = facts.sentAt ?? readEnvelopeTime(message.envelope);
    this.#tally.add({ threadId, subject: fields.subject as string | undefined, sentAt, people, file });
    const isOwn = this.#ownAddresses.has(facts.fromAddress ?? '');
    const data = makeMessage(facts, { id, threadId, sentAt, isOwn, ...this.#mailbox });
    items.push(withFiles(makeRecord(file, 'messages', data, place), facts.files));
    return items;
  }

  *end(): Iterable<ImportItem> {
    const file = this.#file as InputFile;
    if (this.#number === 0) yield makeProblem(file, 'contains no mail');
    const note = `${this.#copies} duplicate mails skipped`;
    if (this.#copies > 0) yield makeNote(file, note);
  }

  /** Reports an address of the owner, once. */
  *addSelf(address: string): Iterable<ImportItem> {
    const value = address.toLowerCase();
    if (this.#ownAddresses.has(value) || this.#ownAddresses.size >= MAX_OWN_ADDRESSES) return;
    this.#ownAddresses.add(value);
    yield { kind: 'self', value };
  }
}

/** Returns the folder of a mail from the path: a Maildir folder, or the name of an mbox. */
function findFolder({ path }: InputFile): string | undefined {
  const parts = path.split('/');
  const maildir = parts.findLastIndex((part) => part === 'cur' || part === 'new');
  // A Maildir writes nested folders as `.Work.Invoices`; its root is the inbox.
  if (maildir > 0) return (parts[maildir - 1] as string).replace(/^\./, '').replaceAll('.', '/') || undefined;
  const name = parts.at(-1) ?? '';
  if (/\.mbox$/i.test(parts.at(-2) ?? '')) return parts.at(-2)?.replace(/\.mbox$/i, '');
  return /\.(?:emlx?|txt|msg)$/i.test(name) ? parts.at(-2) : name.replace(/\.mbo?x$/i, '');
}

/** Reads the flags at the end of a Maildir file name: `:2,RS`. */
function findFlags({ path }: InputFile): { isUnread?: boolean } {
  const flags = /[:;!]2,([A-Za-z]*)$/.exec(path)?.[1];
  return flags === undefined ? {} : { isUnread: !flags.includes('S') };
}

/** Distinguishes copies from mails that only share an id, such as those a mailing list resent. */
class SeenMails {
  readonly #seen: SeenKeys;

  constructor(scratch: Scratch) {
    this.#seen = new SeenKeys(scratch);
  }

  /** Returns the key of a mail, or undefined for a copy. */
  findKey(facts: MailFacts, { raw }: MboxMessage): string | undefined {
    return this.#seen.findKey(makeMailId(facts, raw), hashContent(facts));
  }
}

async function openMessages(file: InputFile): Promise<AsyncIterable<MboxMessage[]>> {
  const head = Buffer.from(await file.head());
  const isMbox = /^(?:\ufeff|\u00ef\u00bb\u00bf)?\s*From /.test(head.toString('latin1', 0, 64));
  return isMbox ? splitMbox(file.open()) : readSingle(file);
}

async function* readSingle(file: InputFile): AsyncGenerator<MboxMessage[]> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  let bytes = 0;
  for await (const chunk of file.open()) {
    bytes += chunk.length;
    if (size >= MAX_MESSAGE_BYTES) continue;
    pieces.push(Buffer.from(chunk.subarray(0, MAX_MESSAGE_BYTES - size)));
    size = Math.min(bytes, MAX_MESSAGE_BYTES);
  }
  const raw = Buffer.concat(pieces);
  if (raw.length > 0) yield [{ raw: unwrapAppleMail(raw), envelope: '', bytes }];
}

/** Apple Mail writes the length of the mail before it, and a property list after it. */
function unwrapAppleMail(raw: Buffer): Buffer {
  const length = /^(\d{1,10})[ \t]*\r?\n/.exec(raw.toString('latin1', 0, 20));
  if (length === null) return raw;
  const start = length[0].length;
  return raw.subarray(start, start + Number(length[1]));
}
