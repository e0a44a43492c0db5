import type { SyncRecord } from '../sync-source.ts';

export type Data = Readonly<Record<string, unknown>>;

/** Returns a mail as a message and a thread with only this message. Storing merges the totals of threads. */
export function makeRecords(message: Data): SyncRecord[] {
  return [
    { stream: 'messages', data: message },
    { stream: 'threads', data: makeThread(message) },
  ];
}

function makeThread({ thread_id, subject, from_address, to, cc, sent_at }: Data): Record<string, unknown> {
  const people = [from_address, ...list(to), ...list(cc)].filter(
    (one) => typeof one === 'string' && one !== '',
  );
  return {
    id: thread_id,
    subject: subject ?? undefined,
    participants: [...new Set(people)],
    message_count: 1,
    first_message_at: sent_at ?? undefined,
    last_message_at: sent_at ?? undefined,
  };
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Whether a stored mail is this one, and not another mail with the same id, such as one that a mailing list resent. */
export function isSameMail(stored: Data, fields: Data): boolean {
  const text = (value: unknown) => (typeof value === 'string' ? value.toWellFormed() : '');
  return text(stored.subject) === text(fields.subject) && text(stored.body) === text(fields.body);
}
