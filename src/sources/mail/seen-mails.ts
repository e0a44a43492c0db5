import { createHash } from 'node:crypto';
import { hashKey } from '../../import/read/hash-key.ts';
import type { Scratch } from '../../import/scratch.ts';
import { SeenKeys } from '../files/seen-keys.ts';
import type { MailFacts } from './message-record.ts';
import type { MboxMessage } from './split-mbox.ts';

/** Tells copies from mails that only share their id, as those do that a list has sent on. */
export class SeenMails {
  readonly #seen: SeenKeys;

  constructor(scratch: Scratch) {
    this.#seen = new SeenKeys(scratch);
  }

  /** The key of a mail, or undefined where the same one was there before. */
  findKey({ messageId, fields }: MailFacts, { raw }: MboxMessage): string | undefined {
    const id = messageId ?? createHash('sha256').update(raw).digest('base64url').slice(0, 22);
    const content = hashKey(fields.subject as string, fields.body as string, String(fields.labels));
    return this.#seen.findKey(id, content.slice(0, 11));
  }
}
