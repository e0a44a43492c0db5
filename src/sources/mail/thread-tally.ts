import type { InputFile } from '../../import/importer.ts';

export interface Tallied {
  readonly threadId: string;
  readonly subject: string | undefined;
  readonly sentAt: string | undefined;
  readonly people: readonly string[];
  readonly file: InputFile;
}

interface Thread {
  subject: string | undefined;
  first: string | undefined;
  last: string | undefined;
  count: number;
  readonly people: string[];
  readonly file: InputFile;
}

/** A list with hundreds of members is no conversation. */
const MOST_PEOPLE = 30;

/** Adds up conversations while the mails go by. It keeps a line per conversation, never a mail. */
export class ThreadTally {
  readonly #threads = new Map<string, Thread>();
  /** Every address once, however many conversations it is in. */
  readonly #addresses = new Map<string, string>();
  /** To which conversation a mail belongs that an answer may name, where the answer names no other. */
  readonly #roots = new Map<string, string>();

  /**
   * The conversation of a mail by RFC 5322 §3.6.4: the first of its References began it; a mail with only an
   * In-Reply-To belongs where the mail before it belongs.
   */
  findRoot(id: string, references: readonly string[], inReplyTo: string | undefined): string {
    const root = references[0] ?? (inReplyTo === undefined ? id : (this.#roots.get(inReplyTo) ?? inReplyTo));
    if (references.length === 0 && root !== id) this.#roots.set(id, root);
    return root;
  }

  add({ threadId, subject, sentAt, people, file }: Tallied): void {
    const known = this.#threads.get(threadId);
    const thread = known ?? { subject, first: sentAt, last: sentAt, count: 0, people: [], file };
    if (known === undefined) this.#threads.set(threadId, thread);
    thread.count += 1;
    thread.subject ??= subject;
    // The subject of a conversation is that of its first mail.
    if (sentAt !== undefined && (thread.first === undefined || sentAt < thread.first)) {
      thread.first = sentAt;
      thread.subject = subject ?? thread.subject;
    }
    if (sentAt !== undefined && (thread.last === undefined || sentAt > thread.last)) thread.last = sentAt;
    for (const address of people) this.#addPerson(thread, address);
  }

  *list(): Iterable<{ data: Record<string, unknown>; file: InputFile }> {
    for (const [id, { subject, first, last, count, people, file }] of this.#threads) {
      const data = {
        id,
        subject,
        participants: people,
        message_count: count,
        first_message_at: first,
        last_message_at: last,
      };
      yield { data, file };
    }
  }

  #addPerson(thread: Thread, address: string): void {
    if (thread.people.length >= MOST_PEOPLE) return;
    let same = this.#addresses.get(address);
    if (same === undefined) {
      same = address;
      this.#addresses.set(address, same);
    }
    if (!thread.people.includes(same)) thread.people.push(same);
  }
}
