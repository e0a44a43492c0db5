import type { FetchMessageObject } from 'imapflow';
import { hashKey } from '../../import/hash-key.ts';

/** What can change about a mail at its server. */
export interface MailFlags {
  readonly isUnread: boolean;
  readonly labels: readonly string[];
}

/** Keywords that mail programs set for themselves: RFC 5788 and older names. */
const TECHNICAL =
  /^(?:\\.*|\$?(?:forwarded|mdnsent|junk|notjunk|nonjunk|phishing|submitpending|submitted|has_?attachment|hasnoattachment|canunsubscribe|x-me-annot.*)|junkrecorded|receipthandled)$/i;
/** Gmail's system labels: the name in IMAP, and the name in a Takeout export. */
const GMAIL_LABELS: Readonly<Record<string, string>> = {
  '\\inbox': 'Inbox',
  '\\sent': 'Sent',
  '\\important': 'Important',
  '\\starred': 'Starred',
  '\\draft': 'Drafts',
  '\\drafts': 'Drafts',
  '\\trash': 'Trash',
  '\\junk': 'Spam',
  '\\spam': 'Spam',
  '\\muted': 'Muted',
};
const MAX_LABELS = 200;
const MAX_LABEL_CHARACTERS = 300;

/** Reads flags and labels. Labels of Gmail get their names in a Takeout export. */
export function readFlags({ flags = new Set(), labels }: FetchMessageObject): MailFlags {
  const isUnread = ![...flags].some((flag) => flag.toLowerCase() === '\\seen');
  const own =
    labels === undefined
      ? [...flags].filter((flag) => !TECHNICAL.test(flag))
      : [
          ...[...labels].map((label) => GMAIL_LABELS[label.toLowerCase()] ?? label),
          isUnread ? 'Unread' : 'Opened',
        ];
  const tidy = own.map((label) =>
    label
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim()
      .slice(0, MAX_LABEL_CHARACTERS),
  );
  const unique = new Set(tidy.filter((label) => label !== ''));
  return { isUnread, labels: [...unique].slice(0, MAX_LABELS) };
}

/** Identifies flags. An item with the same version has not changed. */
export const versionOf = ({ isUnread, labels }: MailFlags): string =>
  `${isUnread ? 'u' : 's'}${labels.length === 0 ? '' : hashKey(...[...labels].sort()).slice(0, 11)}`;
