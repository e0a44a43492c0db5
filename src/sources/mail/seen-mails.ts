import { createHash } from 'node:crypto';
import { hashKey } from '../../import/read/hash-key.ts';
import type { Scratch } from '../../import/scratch.ts';
import type { MailFacts } from './message-record.ts';
import type { MboxMessage } from './split-mbox.ts';

/**
 * Tells copies from mails that only share their id, as those do that a list has sent on. A mailbox may hold millions,
 * so what was seen lies on the disk.
 */
export class SeenMails {
  readonly #find: (id: string) => string | undefined;
  /** False where the id was there. */
  readonly #add: (id: string, content: string) => boolean;

  constructor({ raw }: Scratch) {
    raw.exec('create table seen_mails (id text primary key, content text not null) without rowid');
    const find = raw.prepare('select content from seen_mails where id = ?').pluck();
    const add = raw.prepare('insert or ignore into seen_mails values (?, ?)');
    this.#find = (id) => find.get(id) as string | undefined;
    this.#add = (id, content) => add.run(id, content).changes === 1;
  }

  /** The key of a mail, or undefined where the same one was there before. */
  findKey({ messageId, fields }: MailFacts, { raw }: MboxMessage): string | undefined {
    const id = messageId ?? createHash('sha256').update(raw).digest('base64url').slice(0, 22);
    const content = hashKey(fields.subject as string, fields.body as string, String(fields.labels)).slice(
      0,
      11,
    );
    if (this.#add(id, content)) return id;
    const other = `${id}#${content}`;
    return this.#find(id) !== content && this.#add(other, content) ? other : undefined;
  }
}
