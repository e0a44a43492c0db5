import type { FetchMessageObject } from 'imapflow';
import { yieldToEventLoop } from '../../limits/yield-to-event-loop.ts';
import { hashContent, makeMailId, parseFacts } from '../../sources/mail/make-message.ts';
import type { MailFacts } from '../../sources/mail/message-record.ts';
import { MAX_MESSAGE_BYTES } from '../../sources/mail/split-mbox.ts';
import { isGmail } from './imap-folders.ts';
import type { ImapSession } from './imap-session.ts';
import { type MailFlags, readFlags } from './mail-flags.ts';

/** A mail as the server lists it. */
export interface ListedMail {
  readonly uid: number;
  readonly bytes: number;
}

export interface FetchedMail extends ListedMail {
  /** Absent if the server did not return the mail, or it cannot be read. */
  readonly content?: { readonly facts: MailFacts; readonly id: string; readonly hash: string };
  readonly flags: MailFlags;
  readonly receivedAt: string | undefined;
}

const MAX_BATCH_MAILS = 200;
const MAX_BATCH_BYTES = 4 * 2 ** 20;

/** Splits a list into batches that fit into memory. */
export function* splitBatches(mails: readonly ListedMail[]): Generator<ListedMail[]> {
  let batch: ListedMail[] = [];
  let bytes = 0;
  for (const mail of mails) {
    const added = Math.min(mail.bytes, MAX_MESSAGE_BYTES);
    if (batch.length > 0 && (batch.length >= MAX_BATCH_MAILS || bytes + added > MAX_BATCH_BYTES)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(mail);
    bytes += added;
  }
  if (batch.length > 0) yield batch;
}

/** Reads the mails of a batch. Their bytes are parsed as they arrive and not kept. */
export async function fetchMails(
  session: ImapSession,
  batch: readonly ListedMail[],
  timeZone: string,
): Promise<FetchedMail[]> {
  const gmail = isGmail(session);
  const expected = new Map(batch.map((mail) => [mail.uid, mail]));
  const fetched = new Map<number, FetchedMail>();
  const bytes = batch.reduce((sum, mail) => sum + Math.min(mail.bytes, MAX_MESSAGE_BYTES), 0);
  const query = {
    uid: true,
    flags: true,
    internalDate: true,
    source: { start: 0, maxLength: MAX_MESSAGE_BYTES },
    ...(gmail ? { labels: true, threadId: true } : {}),
  };
  await session.fetch(async (client) => {
    for await (const message of client.fetch(joinUids([...expected.keys()]), query, { uid: true })) {
      const listed = expected.get(message.uid);
      if (listed === undefined || message.source === undefined || fetched.has(message.uid)) continue;
      fetched.set(message.uid, await readMessage(message, message.source, listed, timeZone));
      await yieldToEventLoop();
    }
  }, bytes);
  return batch.map((mail) => fetched.get(mail.uid) ?? { ...mail, flags: NO_FLAGS, receivedAt: undefined });
}

/** Strings are faster than bytes, but take several times the memory of a large mail. */
const MAX_STRING_BYTES = 2 ** 20;
const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = 0x0a;
const NO_FLAGS: MailFlags = { isUnread: false, labels: [] };

async function readMessage(
  message: FetchMessageObject,
  source: Buffer,
  { uid, bytes }: ListedMail,
  timeZone: string,
): Promise<FetchedMail> {
  const flags = readFlags(message);
  const raw = message.labels === undefined ? formatAsMbox(source) : source;
  const server = { labels: flags.labels, gmailThread: message.threadId };
  const facts = await parseFacts(raw, timeZone, server);
  const { internalDate } = message;
  const receivedAt = internalDate instanceof Date ? `${internalDate.toISOString().slice(0, 19)}Z` : undefined;
  const common = { uid, bytes: Math.max(bytes, source.length), flags, receivedAt };
  if (facts === undefined) return common;
  return { ...common, content: { facts, id: makeMailId(facts, raw), hash: hashContent(facts) } };
}

/** Returns the bytes that an mbox file has for a mail, so that sizes and hashes are the same. */
export function formatAsMbox(source: Buffer): Buffer {
  if (source.length <= MAX_STRING_BYTES)
    return Buffer.from(`${source.toString('latin1').replaceAll('\r\n', '\n')}\n`, 'latin1');
  const bytes = Buffer.allocUnsafe(source.length + 1);
  let size = 0;
  for (let at = 0; at < source.length; at += 1) {
    if (source[at] === CARRIAGE_RETURN && source[at + 1] === LINE_FEED) continue;
    bytes[size] = source[at] as number;
    size += 1;
  }
  bytes[size] = LINE_FEED;
  return bytes.subarray(0, size + 1);
}

/** Writes UIDs as an IMAP sequence set: `3:7,9`. */
export function joinUids(uids: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const uid of [...uids].sort((one, other) => one - other)) {
    const last = ranges.at(-1);
    if (last !== undefined && uid === last[1] + 1) last[1] = uid;
    else ranges.push([uid, uid]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}:${to}`)).join(',');
}
