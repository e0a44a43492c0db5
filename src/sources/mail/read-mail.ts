import type { ImportOptions, Recognised, Yielded } from '../../import/importer.ts';
import { openScratch, type Scratch } from '../../import/scratch.ts';
import { findFlags, findFolder } from './mail-place.ts';
import { type MailFacts, readEnvelopeTime, readFacts } from './message-record.ts';
import { parseMail } from './mime/parse-mail.ts';
import { readMessages } from './read-messages.ts';
import { findAddressee } from './recognise-mail.ts';
import { SeenMails } from './seen-mails.ts';
import { MAX_MESSAGE_BYTES, type MboxMessage } from './split-mbox.ts';
import { ThreadTally } from './thread-tally.ts';

/** More addresses than a person has are a list or a mistake. */
const MOST_SELVES = 10;

/** Reads mails, and after the last of them the conversations they make. */
export async function* readMail(recognised: Recognised, options: ImportOptions): AsyncGenerator<Yielded> {
  const scratch = openScratch();
  try {
    yield* readAll(recognised, options, scratch);
  } finally {
    scratch.close();
  }
}

async function* readAll(
  { files }: Recognised,
  { timeZone }: ImportOptions,
  scratch: Scratch,
): AsyncGenerator<Yielded> {
  const tally = new ThreadTally(scratch);
  const selves = new Selves();
  const seen = new SeenMails(scratch);
  for (const file of files) {
    const addressee = await findAddressee(file);
    if (addressee !== undefined) yield* selves.add(addressee);
  }
  for (const file of files) {
    let number = 0;
    let copies = 0;
    const keptIn = { folder: findFolder(file), ...findFlags(file) };
    for await (const message of readMessages(file)) {
      number += 1;
      const place = `message ${number}`;
      if (message.bytes > MAX_MESSAGE_BYTES)
        yield {
          kind: 'problem',
          file,
          place,
          reason: `is larger than ${MAX_MESSAGE_BYTES / 2 ** 20} MB; only its beginning was read`,
        };
      const facts = await parseFacts(message, timeZone);
      if (facts === undefined) {
        yield { kind: 'problem', file, place, reason: 'cannot be read as mail' };
        continue;
      }
      if (facts.isSent && facts.fromAddress !== undefined) yield* selves.add(facts.fromAddress);
      const key = seen.findKey(facts, message);
      if (key === undefined) {
        copies += 1;
        continue;
      }
      const threadId =
        facts.gmailThread ?? tally.findRoot(facts.messageId ?? key, facts.references, facts.inReplyTo);
      const { sentAt = readEnvelopeTime(message.envelope), people } = facts;
      tally.add({ threadId, subject: facts.fields.subject as string | undefined, sentAt, people, file });
      const isFromMe = facts.isSent || selves.has(facts.fromAddress);
      yield {
        kind: 'record',
        stream: 'messages',
        data: {
          ...facts.fields,
          id: key,
          thread_id: threadId,
          sent_at: sentAt,
          is_from_me: isFromMe,
          ...keptIn,
        },
        place,
        file,
      };
    }
    if (number === 0) yield { kind: 'problem', file, reason: 'holds no mail' };
    if (copies > 0)
      yield {
        kind: 'note',
        file,
        note: `${copies} mails were there before, word for word, and are kept once`,
      };
  }
  for (const { data, file } of tally.list()) yield { kind: 'record', stream: 'threads', data, file };
}

async function parseFacts({ raw }: MboxMessage, timeZone: string): Promise<MailFacts | undefined> {
  try {
    return readFacts(await parseMail(raw), timeZone);
  } catch {
    // What is nested too deeply or has endless headers is refused.
    return undefined;
  }
}

/** The owner's addresses, as they become known. */
class Selves {
  readonly #addresses = new Set<string>();

  *add(address: string): Iterable<Yielded> {
    const value = address.toLowerCase();
    if (this.#addresses.has(value) || this.#addresses.size >= MOST_SELVES) return;
    this.#addresses.add(value);
    yield { kind: 'self', value };
  }

  has(address: string | undefined): boolean {
    return address !== undefined && this.#addresses.has(address);
  }
}
