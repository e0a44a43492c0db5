import type { Scratch } from '../../store/sqlite/scratch.ts';

/**
 * Tells copies of a record from others that only share its id. An export may hold millions, so what was seen lies on
 * the disk.
 */
export class SeenKeys {
  readonly #find: (id: string) => string | undefined;
  /** False where the id was there. */
  readonly #add: (id: string, content: string) => boolean;

  constructor({ raw }: Scratch) {
    raw.exec('create table seen_keys (id text primary key, content text not null) without rowid');
    const find = raw.prepare('select content from seen_keys where id = ?').pluck();
    const add = raw.prepare('insert or ignore into seen_keys values (?, ?)');
    this.#find = (id) => find.get(id) as string | undefined;
    this.#add = (id, content) => add.run(id, content).changes === 1;
  }

  /** The key of a record, or undefined where the same one was there before. `content` is a short hash of it. */
  findKey(id: string, content: string): string | undefined {
    if (this.#add(id, content)) return id;
    const other = `${id}#${content}`;
    return this.#find(id) !== content && this.#add(other, content) ? other : undefined;
  }
}
