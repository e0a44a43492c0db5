import type { ListResponse } from 'imapflow';
import type { AccountCollection } from '../sync-source.ts';
import { invalidResponse } from './imap-errors.ts';
import type { ImapSession } from './imap-session.ts';

export interface MailFolder {
  /** The path at the server, which is also the id of the collection. */
  readonly path: string;
  /** As an mbox or Maildir import names it: `Work/Invoices`. */
  readonly name: string;
  readonly isSent: boolean;
  readonly isDefault: boolean;
  readonly uidValidity: string | undefined;
  readonly uidNext: number | undefined;
  readonly messages: number | undefined;
  readonly highestModseq: string | undefined;
}

/** More folders are a mistake or an attack. */
const MAX_FOLDERS = 5_000;
const MAX_PATH_CHARACTERS = 1_000;
/** Folders with copies of other folders, deleted mails, spam and drafts. */
const LEFT_OUT = new Set(['\\Trash', '\\Junk', '\\Drafts', '\\All', '\\Flagged', '\\Important']);
/** On Gmail, `All Mail` has every mail once, with its labels. All others but these two are views of it. */
const GMAIL_FOLDERS = new Set(['\\All', '\\Junk', '\\Trash']);
const FIRST = ['\\Inbox', '\\Sent', '\\Archive'];

export const isGmail = ({ client }: ImapSession): boolean => client.capabilities.has('X-GM-EXT-1');

/** Lists the folders with their counts, those with the most important mails first. */
export async function listFolders(session: ImapSession): Promise<MailFolder[]> {
  const listed = await session.run((client) =>
    client.list({ statusQuery: { messages: true, uidNext: true, uidValidity: true, highestModseq: true } }),
  );
  if (listed.length > MAX_FOLDERS) throw invalidResponse('The mail server lists too many folders.');
  const gmail = isGmail(session);
  const use = (folder: ListResponse) =>
    folder.path.toUpperCase() === 'INBOX' ? '\\Inbox' : (folder.specialUse ?? '');
  const rank = (folder: ListResponse) => {
    const found = FIRST.indexOf(use(folder));
    return found < 0 ? FIRST.length : found;
  };
  const hasAll = listed.some((folder) => use(folder) === '\\All');
  return listed
    .filter(({ flags, path }) => isSelectable(flags) && path.length <= MAX_PATH_CHARACTERS)
    .filter((folder) => !gmail || !hasAll || GMAIL_FOLDERS.has(use(folder)))
    .sort((one, other) => rank(one) - rank(other))
    .map((folder) => ({
      path: folder.path,
      // The folder of Gmail's own mailboxes, `[Gmail]`, has another name in each language.
      name: gmail ? folder.name : nameFolder(folder),
      isSent: use(folder) === '\\Sent',
      isDefault: gmail && hasAll ? use(folder) === '\\All' : !LEFT_OUT.has(use(folder)),
      uidValidity: folder.status?.uidValidity?.toString(),
      uidNext: folder.status?.uidNext,
      messages: folder.status?.messages,
      highestModseq: folder.status?.highestModseq?.toString(),
    }));
}

const nameFolder = ({ path, delimiter }: ListResponse) =>
  delimiter === '' ? path : path.split(delimiter).join('/');

const isSelectable = (flags: ReadonlySet<string>) =>
  ![...flags].some((flag) => /^\\(?:noselect|nonexistent)$/i.test(flag));

export const describeFolder = ({ path, name, isDefault, messages }: MailFolder): AccountCollection => ({
  id: path,
  name,
  isDefault,
  ...(messages === undefined ? {} : { items: messages }),
});

/** Returns the folders to sync: those that the owner chose, or the default ones. */
export function chooseFolders(
  folders: readonly MailFolder[],
  chosen: readonly string[] | undefined,
): MailFolder[] {
  if (chosen === undefined) return folders.filter(({ isDefault }) => isDefault);
  const ids = new Set(chosen);
  return folders.filter(({ path }) => ids.has(path));
}
