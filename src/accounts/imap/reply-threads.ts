import { hashKey } from '../../import/hash-key.ts';
import type { SyncedItems, SyncItem } from '../sync-source.ts';

/** The collection that stores the conversation of each mail without References. Its items are not mails. */
export const REPLIES = '\u0001replies';

interface Entry {
  /** The conversation of this mail, if it has only In-Reply-To. */
  root?: string;
  /** Mails that have only In-Reply-To and belong to the conversation that this mail starts. */
  members?: Member[];
}

export interface Member {
  readonly collection: string;
  readonly item: string;
  /** The Message-ID, hashed. */
  readonly mail: string;
}

const MAX_MEMBERS = 100;

/**
 * Finds the conversation of mails that have only In-Reply-To (RFC 5322 §3.6.4), as an mbox import does. Mails arrive
 * newest first, so a reply may arrive before its parent. It then moves to the right conversation with its parent.
 */
export class ReplyThreads {
  readonly #items: SyncedItems;
  readonly #entries = new Map<string, Entry>();
  readonly #changed = new Set<string>();

  constructor(items: SyncedItems) {
    this.#items = items;
  }

  /** Loads the entries of mails and their parents, and of the mails in the same conversations. */
  async load(ids: readonly string[]): Promise<void> {
    this.#entries.clear();
    const found = await this.#find(ids.map(hashId));
    const related = found.flatMap(({ root, members = [] }) => [
      ...(root === undefined ? [] : [hashId(root)]),
      ...members.map(({ mail }) => mail),
    ]);
    await this.#find(related);
  }

  async #find(hashes: readonly string[]): Promise<Entry[]> {
    const missing = [...new Set(hashes)].filter((hash) => !this.#entries.has(hash));
    if (missing.length === 0) return [];
    const found = await this.#items.find(REPLIES, missing);
    for (const [hash, { version }] of found) this.#entries.set(hash, readEntry(version));
    return [...found.keys()].map((hash) => this.#entry(hash));
  }

  /** Adds a mail to the conversation of its parent. Returns that conversation, and the replies that move there too. */
  place(
    id: string,
    inReplyTo: string,
    at: Pick<Member, 'collection' | 'item'>,
  ): { root: string; moved: readonly Member[] } {
    const root = this.#entry(hashId(inReplyTo)).root ?? inReplyTo;
    if (root === id) return { root, moved: [] };
    const mail = hashId(id);
    const own = this.#change(mail);
    const moved = own.members ?? [];
    own.root = root;
    delete own.members;
    for (const member of moved) this.#change(member.mail).root = root;
    const home = this.#change(hashId(root));
    const members = new Map(
      [...(home.members ?? []), ...moved, { ...at, mail }].map((one) => [keyOf(one), one]),
    );
    home.members = [...members.values()].slice(0, MAX_MEMBERS);
    return { root, moved };
  }

  /** Yields the changes as items, which are committed with the mails. */
  *flush(): Generator<SyncItem> {
    for (const hash of this.#changed) {
      const version = writeEntry(this.#entry(hash));
      yield { kind: 'put', collection: REPLIES, item: hash, version, records: [] };
    }
    this.#changed.clear();
  }

  #entry(hash: string): Entry {
    const entry = this.#entries.get(hash) ?? {};
    this.#entries.set(hash, entry);
    return entry;
  }

  #change(hash: string): Entry {
    this.#changed.add(hash);
    return this.#entry(hash);
  }
}

const hashId = (id: string): string => hashKey(id);
const keyOf = ({ collection, item }: Member) => `${collection}\n${item}`;

function writeEntry({ root, members = [] }: Entry): string {
  return JSON.stringify([
    root ?? null,
    members.map(({ collection, item, mail }) => [collection, item, mail]),
  ]);
}

function readEntry(version: string | null): Entry {
  if (version === null) return {};
  const [root, members] = JSON.parse(version) as [string | null, [string, string, string][]];
  return {
    ...(root === null ? {} : { root }),
    members: members.map(([collection, item, mail]) => ({ collection, item, mail })),
  };
}
