import type { Scratch } from '../../store/sqlite/scratch.ts';

/**
 * Distinguishes copies of a record from other records with the same id. An export may hold millions, so the keys
 * are on disk.
 */
export class SeenKeys {
  readonly #find: (id: string) => string | undefined;
  /** Returns false if the id is already stored. */
  readonly #add: (id: string, content: string) => boolean;

  constructor({ raw }: Scratch) {
    raw.exec('create table seen_keys (id text primary key, content text not null) without rowid');
    const find = raw.prepare('select content from seen_keys where id = ?').pluck();
    const add = raw.prepare('insert or ignore into seen_keys values (?, ?)');
    this.#find = (id) => find.get(id) as string | undefined;
    this.#add = (id, content) => add.run(id, content).changes === 1;
  }

  /** Returns the key of a record, or undefined for a copy. `content` is a short hash of the record. */
  findKey(id: string, content: string): string | undefined {
    if (this.#add(id, content)) return id;
    const other = `${id}#${content}`;
    return this.#find(id) !== content && this.#add(other, content) ? other : undefined;
  }
}
