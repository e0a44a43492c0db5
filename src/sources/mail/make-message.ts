import { hashBytes, hashKey } from '../../import/hash-key.ts';
import { type MailFacts, readFacts, type ServerFacts } from './message-record.ts';
import { parseWithLibrary } from './mime/parse-with-library.ts';
import { readMime } from './mime/read-mime.ts';

/** What a mailbox adds to the bytes of a mail. */
export interface MailEnvelope {
  readonly id: string;
  readonly threadId: string;
  readonly sentAt: string | undefined;
  /** Whether the sender is the owner. */
  readonly isOwn: boolean;
  readonly folder: string | undefined;
  readonly isUnread?: boolean;
}

/** Parses a mail. Returns undefined if it is nested too deeply or its headers are too long. */
export function parseFacts(
  raw: Buffer,
  timeZone: string,
  server?: ServerFacts,
): MailFacts | Promise<MailFacts | undefined> {
  const plain = readMime(raw);
  if (plain !== undefined) return readFacts(plain, timeZone, server);
  return parseWithLibrary(raw).then(
    (mail) => readFacts(mail, timeZone, server),
    () => undefined,
  );
}

/** Makes a record of the stream `messages`. */
export function makeMessage(facts: MailFacts, envelope: MailEnvelope): Record<string, unknown> {
  const { id, threadId, sentAt, isOwn, folder, isUnread } = envelope;
  return {
    ...facts.fields,
    id,
    thread_id: threadId,
    sent_at: sentAt,
    is_from_me: facts.isSent || isOwn,
    folder,
    ...(isUnread === undefined ? {} : { is_unread: isUnread }),
  };
}

/** Returns the Message-ID, or a hash of the bytes as an mbox file has them. */
export const makeMailId = ({ messageId }: MailFacts, raw: Buffer): string => messageId ?? hashBytes(raw);

/** Distinguishes mails that share an id, such as those a mailing list resent. */
export const hashContent = ({ fields }: MailFacts): string =>
  hashKey(fields.subject as string, fields.body as string, String(fields.labels)).slice(0, 11);
