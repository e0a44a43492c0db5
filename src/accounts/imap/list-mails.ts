import type { FetchMessageObject } from 'imapflow';
import { yieldToEventLoop } from '../../limits/yield-to-event-loop.ts';
import type { ListedMail } from './fetch-mails.ts';
import { invalidResponse } from './imap-errors.ts';
import type { ImapSession } from './imap-session.ts';
import { type MailFlags, readFlags } from './mail-flags.ts';

/** The state of a folder when it was selected. */
export interface Selected {
  readonly uidValidity: string;
  readonly uidNext: number;
  readonly exists: number;
  readonly modseq: string | undefined;
}

/** A folder with more mails is a mistake or an attack. */
const MAX_MAILS = 20_000_000;
/** The maximum number of flag reports that were not requested: other programs may change flags at the same time. */
const MAX_EXTRA = 1_000;
/** The number of positions that one command reads. */
export const MAX_COMMAND_POSITIONS = 5_000;

/** Selects a folder read-only: nothing is marked as read. */
export async function selectFolder(session: ImapSession, path: string): Promise<Selected> {
  const mailbox = await session.run((client) => client.mailboxOpen(path, { readOnly: true }));
  const { uidValidity, uidNext, exists, highestModseq, noModseq } = mailbox;
  if (uidValidity === undefined || !(exists >= 0 && exists <= MAX_MAILS))
    throw invalidResponse('The mail server does not describe its folders.');
  // The library updates these values as mails arrive, so they are copied now.
  const hasModseq =
    noModseq !== true && highestModseq !== undefined && session.client.enabled.has('CONDSTORE');
  return {
    uidValidity: String(uidValidity),
    uidNext: uidNext ?? (exists === 0 ? 1 : (await findUid(session, exists)) + 1),
    exists,
    modseq: hasModseq ? String(highestModseq) : undefined,
  };
}

/** Lists UIDs with sizes of the mails at these positions, in ascending order. */
export async function listMails(session: ImapSession, from: number, to: number): Promise<ListedMail[]> {
  const mails: ListedMail[] = [];
  await eachMail(session, [from, to], { size: true }, ({ uid, size }) =>
    mails.push({ uid, bytes: size ?? 0 }),
  );
  return sortByUid(mails);
}

/** Lists UIDs with flags of the mails at these positions, in ascending order; with `changedSince` only the changed ones. */
export async function listFlags(
  session: ImapSession,
  from: number,
  to: number,
  options: { readonly withLabels: boolean; readonly changedSince?: string | undefined },
): Promise<{ uid: number; flags: MailFlags }[]> {
  const mails: { uid: number; flags: MailFlags }[] = [];
  const query = { flags: true, ...(options.withLabels ? { labels: true } : {}) };
  const add = (message: FetchMessageObject) => {
    if (message.flags !== undefined) mails.push({ uid: message.uid, flags: readFlags(message) });
  };
  await eachMail(session, [from, to], query, add, options.changedSince);
  return sortByUid(mails);
}

/** Returns the position of the first mail with this UID or a larger one; one more than the last position if there is none. */
export async function findPosition(session: ImapSession, uid: number): Promise<number> {
  const { mailbox } = session.client;
  let [low, high] = [1, (mailbox === false ? 0 : mailbox.exists) + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((await findUid(session, middle)) < uid) low = middle + 1;
    else high = middle;
  }
  return low;
}

async function findUid(session: ImapSession, position: number): Promise<number> {
  const found = await session.run((client) => client.fetchOne(String(position), { uid: true }));
  if (!found || !(found.uid > 0)) throw invalidResponse('The mail server does not number its mails.');
  return found.uid;
}

async function eachMail(
  session: ImapSession,
  [from, to]: readonly [from: number, to: number],
  query: Parameters<ImapSession['client']['fetch']>[1],
  take: (message: FetchMessageObject) => void,
  changedSince?: string,
): Promise<void> {
  const { mailbox } = session.client;
  // A position after the last one is an error.
  const last = Math.min(to, mailbox === false ? 0 : mailbox.exists);
  if (from > last) return;
  let left = last - from + 1 + MAX_EXTRA;
  await session.run(async (client) => {
    const options = changedSince === undefined ? {} : { changedSince: BigInt(changedSince) };
    for await (const message of client.fetch(`${from}:${last}`, { uid: true, ...query }, options)) {
      if (!(message.uid > 0)) continue;
      left -= 1;
      if (left < 0) throw invalidResponse('The mail server lists more mails than were asked for.');
      take(message);
      await yieldToEventLoop();
    }
  });
}

/** A server may repeat a mail. The last one counts. */
function sortByUid<Mail extends { readonly uid: number }>(mails: readonly Mail[]): Mail[] {
  return [...new Map(mails.map((mail) => [mail.uid, mail])).values()].sort(
    (one, other) => one.uid - other.uid,
  );
}
