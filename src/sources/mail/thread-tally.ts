import type { InputFile } from '../../import/importer.ts';
import type { Scratch } from '../../store/sqlite/scratch.ts';

interface Tallied {
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
  people: string[];
}

type ThreadRow = Omit<Thread, 'people'> & { people: string };

/** A list with hundreds of members is not a conversation. */
const MAX_PEOPLE = 30;
/** Answers come soon, so most conversations are written to disk once. */
const MAX_RECENT = 2_000;

/** Sums up conversations while mails are read. All but the recent ones are on disk: a mailbox may hold millions. */
export class ThreadTally {
  readonly #raw: Scratch['raw'];
  readonly #files: InputFile[] = [];
  readonly #recent = new Map<string, { thread: Thread; file: number }>();
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
    this.#find = (id) => {
      const row = find.get(id) as ThreadRow | undefined;
      return row === undefined ? undefined : { ...row, people: JSON.parse(row.people) as string[] };
    };
    this.#put = (id, file, { subject, first, last, count, people }) =>
      void put.run(id, file, subject, first, last, count, JSON.stringify(people));
    this.#findRoot = (id) => findRoot.get(id) as string | undefined;
    this.#putRoot = (id, root) => void putRoot.run(id, root);
  }

  /**
   * Finds the conversation of a mail (RFC 5322 §3.6.4): the first of its References began it. A mail with only
   * In-Reply-To belongs to the conversation of that mail.
   */
  findRoot(id: string, references: readonly string[], inReplyTo: string | undefined): string {
    const root = references[0] ?? (inReplyTo === undefined ? id : (this.#findRoot(inReplyTo) ?? inReplyTo));
    if (references.length === 0 && root !== id) this.#putRoot(id, root);
    return root;
  }

  add({ threadId, subject = null, sentAt = null, people, file }: WithNulls<Tallied>): void {
    if (this.#files.at(-1) !== file) this.#files.push(file);
    const thread = this.#memoize(threadId) ?? { subject, first: sentAt, last: sentAt, count: 0, people: [] };
    thread.count += 1;
    thread.subject ??= subject;
    // The subject of a conversation is that of its first mail.
    if (sentAt !== null && (thread.first === null || sentAt < thread.first)) {
      thread.first = sentAt;
      thread.subject = subject ?? thread.subject;
    }
    if (sentAt !== null && (thread.last === null || sentAt > thread.last)) thread.last = sentAt;
    for (const address of people)
      if (thread.people.length < MAX_PEOPLE && !thread.people.includes(address)) thread.people.push(address);
    this.#recent.set(threadId, { thread, file: this.#files.length - 1 });
    if (this.#recent.size > MAX_RECENT) this.#write(MAX_RECENT / 2);
  }

  #memoize(id: string): Thread | undefined {
    return this.#recent.get(id)?.thread ?? this.#find(id);
  }

  /** Writes the oldest recent conversations to disk until this many are left. */
  #write(left: number): void {
    for (const [id, { file, thread }] of this.#recent) {
      if (this.#recent.size <= left) return;
      this.#put(id, file, thread);
      this.#recent.delete(id);
    }
  }

  *list(): Iterable<{ data: Record<string, unknown>; file: InputFile }> {
    this.#write(0);
    // Page by page: the consumer may write to the same database in between.
    const page = this.#raw.prepare('select * from threads where n > ? order by n limit 500');
    for (let last = 0; ; ) {
      const rows = page.all(last) as (ThreadRow & { n: number; id: string; file: number })[];
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
