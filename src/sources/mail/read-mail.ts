import type { ImportOptions, InputFile, Recognised, Yielded } from '../../import/importer.ts';
import { openScratch, type Scratch } from '../../import/scratch.ts';
import { findFlags, findFolder } from './mail-place.ts';
import { type MailFacts, readEnvelopeTime, readFacts } from './message-record.ts';
import { parseWithLibrary } from './mime/parse-with-library.ts';
import { readMime } from './mime/read-mime.ts';
import { openMessages } from './open-messages.ts';
import { findAddressee } from './recognise-mail.ts';
import { SeenMails } from './seen-mails.ts';
import { MAX_MESSAGE_BYTES, type MboxMessage } from './split-mbox.ts';
import { ThreadTally } from './thread-tally.ts';

/** More addresses than a person has are a list or a mistake. */
const MOST_SELVES = 10;

/** Reads mails, and after the last of them the conversations they make. */
export async function* readMail({ files }: Recognised, { timeZone }: ImportOptions): AsyncGenerator<Yielded> {
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
          // Waiting costs more than most mails do, so only the library is waited for.
          const parsed = parseFacts(message, timeZone);
          const facts = parsed instanceof Promise ? await parsed : parsed;
          for (const item of reader.take(message, facts)) yield item;
        }
      }
      yield* reader.end();
    }
    for (const { data, file } of tally.list()) yield { kind: 'record', stream: 'threads', data, file };
  } finally {
    scratch.close();
  }
}

/** Undefined where the mail is nested too deeply or has endless headers. */
function parseFacts({ raw }: MboxMessage, timeZone: string): MailFacts | Promise<MailFacts | undefined> {
  const plain = readMime(raw);
  if (plain !== undefined) return readFacts(plain, timeZone);
  return parseWithLibrary(raw).then(
    (mail) => readFacts(mail, timeZone),
    () => undefined,
  );
}

/** Makes records of mails, one after another. */
class MailReader {
  readonly #tally: ThreadTally;
  readonly #seen: SeenMails;
  readonly #selves = new Set<string>();
  #file: InputFile | undefined;
  #keptIn: { folder: string | undefined; is_unread?: boolean } = { folder: undefined };
  #number = 0;
  #copies = 0;

  constructor(scratch: Scratch, tally: ThreadTally) {
    this.#tally = tally;
    this.#seen = new SeenMails(scratch);
  }

  begin(file: InputFile): void {
    this.#file = file;
    this.#keptIn = { folder: findFolder(file), ...findFlags(file) };
    this.#number = 0;
    this.#copies = 0;
  }

  take(message: MboxMessage, facts: MailFacts | undefined): Yielded[] {
    const file = this.#file as InputFile;
    const taken: Yielded[] = [];
    this.#number += 1;
    const place = `message ${this.#number}`;
    if (message.bytes > MAX_MESSAGE_BYTES) {
      const reason = `is larger than ${MAX_MESSAGE_BYTES / 2 ** 20} MB; only its beginning was read`;
      taken.push({ kind: 'problem', file, place, reason });
    }
    if (facts === undefined)
      return [...taken, { kind: 'problem', file, place, reason: 'cannot be read as mail' }];
    if (facts.isSent && facts.fromAddress !== undefined) taken.push(...this.addSelf(facts.fromAddress));
    const id = this.#seen.findKey(facts, message);
    if (id === undefined) {
      this.#copies += 1;
      return taken;
    }
    const threadId =
      facts.gmailThread ?? this.#tally.findRoot(facts.messageId ?? id, facts.references, facts.inReplyTo);
    const { sentAt = readEnvelopeTime(message.envelope), people, fields } = facts;
    this.#tally.add({ threadId, subject: fields.subject as string | undefined, sentAt, people, file });
    const data = {
      ...fields,
      id,
      thread_id: threadId,
      sent_at: sentAt,
      is_from_me: facts.isSent || this.#selves.has(facts.fromAddress ?? ''),
      ...this.#keptIn,
    };
    taken.push({ kind: 'record', stream: 'messages', data, place, file });
    return taken;
  }

  *end(): Iterable<Yielded> {
    const file = this.#file as InputFile;
    if (this.#number === 0) yield { kind: 'problem', file, reason: 'holds no mail' };
    const note = `${this.#copies} mails were there before, word for word, and are kept once`;
    if (this.#copies > 0) yield { kind: 'note', file, note };
  }

  /** An address of the owner, as it becomes known. */
  *addSelf(address: string): Iterable<Yielded> {
    const value = address.toLowerCase();
    if (this.#selves.has(value) || this.#selves.size >= MOST_SELVES) return;
    this.#selves.add(value);
    yield { kind: 'self', value };
  }
}
