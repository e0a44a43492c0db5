import type { SyncItem, SyncPlan, SyncRun, SyncSource } from '../../../src/accounts/sync-source.ts';
import type { SourceDeclaration } from '../../../src/schema-index/declaration.ts';
import { declare, declareStream, integer, string, time } from '../declare.ts';
import type { Draw } from '../draw.ts';

const declaration = declare('letters', [
  declareStream('letters', {
    fields: { id: string, thread: string, sent_at: time, subject: string, seen: { type: 'boolean' } },
    time: 'sent_at',
    required: ['id'],
    search: ['subject'],
  }),
  declareStream('threads', {
    fields: {
      id: string,
      letters: integer,
      first_at: time,
      last_at: time,
      people: { type: 'array', items: string },
    },
    time: 'last_at',
    required: ['id'],
  }),
]) as SourceDeclaration;

export const mailboxPlan: SyncPlan = {
  format: 'letters',
  title: 'Letters',
  declaration,
  totals: {
    threads: {
      of: 'letters',
      by: 'thread',
      count: 'letters',
      first: 'first_at',
      last: 'last_at',
      people: 'people',
    },
  },
};

export interface Letter {
  readonly id: string;
  readonly thread: string;
  readonly sent_at: string;
  readonly subject: string;
  readonly seen: boolean;
}

interface Change {
  readonly revision: number;
  readonly item: SyncItem;
}

/** A mailbox in memory that remembers every change, as a server with change numbers does. */
export class FakeMailbox {
  /** By folder, then by number. */
  readonly folders = new Map<string, Map<string, Letter>>();
  readonly #log: Change[] = [];
  #lastItem = 0;

  put(folder: string, letter: Letter, item = String(++this.#lastItem)): string {
    this.#folder(folder).set(item, letter);
    this.#note(this.#putItem(folder, item, letter));
    return item;
  }

  remove(folder: string, item: string): void {
    if (this.#folder(folder).delete(item)) this.#note({ kind: 'remove', collection: folder, item });
  }

  /** Gives all letters of a folder new numbers, some of which other letters had. */
  renumber(folder: string, draw: Draw): void {
    const letters = draw.shuffle([...this.#folder(folder).values()]);
    this.folders.set(folder, new Map());
    this.#note({ kind: 'reset', collection: folder });
    for (const [at, letter] of letters.entries()) this.put(folder, letter, String(at + 1));
    this.#lastItem = Math.max(this.#lastItem, letters.length);
  }

  letters(): Letter[] {
    return [...this.folders.values()].flatMap((folder) => [...folder.values()]);
  }

  /** Reads changes since the state, with checkpoints at random. */
  createSource(draw: Draw, failAfter = Number.MAX_SAFE_INTEGER): SyncSource {
    const log = this.#log;
    return {
      kind: 'imap',
      title: 'Letters',
      fields: [],
      isAddedOnPages: true,
      parseSettings: (given) => given,
      check: async () => ({ account: 'anna@example.org', collections: [], notes: [] }),
      plan: async () => mailboxPlan,
      async *sync({ state, signal, items }: SyncRun): AsyncIterable<SyncItem> {
        const from = typeof state === 'number' ? state : 0;
        let sent = 0;
        for (const { revision, item } of log.filter((one) => one.revision > from)) {
          if (signal.aborted) return;
          if (++sent > failAfter) throw new Error('the connection was lost');
          yield item;
          if (draw.chance(20)) yield { kind: 'checkpoint', state: revision };
          if (draw.chance(3)) for await (const _ of items.list('inbox')) if (draw.chance(10)) break;
        }
        yield { kind: 'checkpoint', state: log.at(-1)?.revision ?? 0 };
      },
    };
  }

  #putItem(folder: string, item: string, letter: Letter): SyncItem {
    return {
      kind: 'put',
      collection: folder,
      item,
      version: String(letter.seen),
      records: [
        { stream: 'letters', data: { ...letter } },
        {
          stream: 'threads',
          data: {
            id: letter.thread,
            letters: 1,
            first_at: letter.sent_at,
            last_at: letter.sent_at,
            people: ['anna'],
          },
        },
      ],
    };
  }

  #folder(name: string): Map<string, Letter> {
    const folder = this.folders.get(name) ?? new Map<string, Letter>();
    this.folders.set(name, folder);
    return folder;
  }

  #note(item: SyncItem): void {
    this.#log.push({ revision: (this.#log.at(-1)?.revision ?? 0) + 1, item });
  }
}
