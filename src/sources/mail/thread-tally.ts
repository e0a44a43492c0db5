import type { InputFile } from '../../import/importer.ts';
import type { Scratch } from '../../import/scratch.ts';

export interface Tallied {
  readonly threadId: string;
  readonly subject: string | undefined;
  readonly sentAt: string | undefined;
  readonly people: readonly string[];
  readonly file: InputFile;
}

interface Thread {
  subject: string | null;
  first: string | null;
  last: string | null;
  count: number;
  /** A JSON list of addresses. */
  people: string;
}

/** A list with hundreds of members is no conversation. */
const MOST_PEOPLE = 30;

/** Adds up conversations while the mails go by. One line for each lies on the disk, because a mailbox may hold millions. */
export class ThreadTally {
  readonly #raw: Scratch['raw'];
  readonly #files: InputFile[] = [];
  readonly #find: (id: string) => Thread | undefined;
  readonly #put: (id: string, file: number, thread: Thread) => void;
  readonly #findRoot: (id: string) => string | undefined;
  readonly #putRoot: (id: string, root: string) => void;

  constructor({ raw }: Scratch) {
    this.#raw = raw;
    raw.exec(`
      create table threads (n integer primary key, id text unique, file integer, subject text, first text, last text,
        count integer, people text);
      -- To which conversation a mail belongs that an answer may name, where the answer names no other.
      create table roots (id text primary key, root text not null) without rowid;
    `);
    const find = raw.prepare('select subject, first, last, count, people from threads where id = ?');
    const put = raw.prepare(
      `insert into threads (id, file, subject, first, last, count, people) values (?, ?, ?, ?, ?, ?, ?)
       on conflict (id) do update set subject = excluded.subject, first = excluded.first, last = excluded.last,
         count = excluded.count, people = excluded.people`,
    );
    const findRoot = raw.prepare('select root from roots where id = ?').pluck();
    const putRoot = raw.prepare('insert or replace into roots values (?, ?)');
    this.#find = (id) => find.get(id) as Thread | undefined;
    this.#put = (id, file, { subject, first, last, count, people }) =>
      void put.run(id, file, subject, first, last, count, people);
    this.#findRoot = (id) => findRoot.get(id) as string | undefined;
    this.#putRoot = (id, root) => void putRoot.run(id, root);
  }

  /**
   * The conversation of a mail by RFC 5322 §3.6.4: the first of its References began it; a mail with only an
   * In-Reply-To belongs where the mail before it belongs.
   */
  findRoot(id: string, references: readonly string[], inReplyTo: string | undefined): string {
    const root = references[0] ?? (inReplyTo === undefined ? id : (this.#findRoot(inReplyTo) ?? inReplyTo));
    if (references.length === 0 && root !== id) this.#putRoot(id, root);
    return root;
  }

  add({ threadId, subject = null, sentAt = null, people, file }: WithNulls<Tallied>): void {
    if (this.#files.at(-1) !== file) this.#files.push(file);
    const known = this.#find(threadId);
    const thread: Thread = known ?? { subject, first: sentAt, last: sentAt, count: 0, people: '[]' };
    thread.count += 1;
    thread.subject ??= subject;
    // The subject of a conversation is that of its first mail.
    if (sentAt !== null && (thread.first === null || sentAt < thread.first)) {
      thread.first = sentAt;
      thread.subject = subject ?? thread.subject;
    }
    if (sentAt !== null && (thread.last === null || sentAt > thread.last)) thread.last = sentAt;
    thread.people = addPeople(thread.people, people);
    this.#put(threadId, this.#files.length - 1, thread);
  }

  *list(): Iterable<{ data: Record<string, unknown>; file: InputFile }> {
    // Page by page: whoever takes the records may write to the same database in between.
    const page = this.#raw.prepare('select * from threads where n > ? order by n limit 500');
    for (let last = 0; ; ) {
      const rows = page.all(last) as (Thread & { n: number; id: string; file: number })[];
      if (rows.length === 0) return;
      for (const { n, id, file, subject, first, last: latest, count, people } of rows) {
        last = n;
        const data = {
          id,
          subject: subject ?? undefined,
          participants: JSON.parse(people) as string[],
          message_count: count,
          first_message_at: first ?? undefined,
          last_message_at: latest ?? undefined,
        };
        yield { data, file: this.#files[file] as InputFile };
      }
    }
  }
}

type WithNulls<T> = { readonly [K in keyof T]: undefined extends T[K] ? T[K] | null : T[K] };

function addPeople(known: string, people: readonly string[]): string {
  if (people.every((address) => known.includes(JSON.stringify(address)))) return known;
  const all = new Set(JSON.parse(known) as string[]);
  for (const address of people) if (all.size < MOST_PEOPLE) all.add(address);
  return JSON.stringify([...all]);
}
