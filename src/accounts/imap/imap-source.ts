import { gmailDeclaration } from '../../sources/gmail/gmail-declaration.ts';
import { mailDeclaration, mailTotals } from '../../sources/mail/mail-declaration.ts';
import type { AccountCheck, SyncContext, SyncPlan, SyncSource } from '../sync-source.ts';
import { chooseFolders, describeFolder, listFolders } from './imap-folders.ts';
import { IMAP_TIMES, type ImapTimes, withImap } from './imap-session.ts';
import { imapFields, nameAccount, parseImapSettings, readSettings } from './imap-settings.ts';
import { syncMail } from './sync-mail.ts';
import { waitForMail } from './wait-for-mail.ts';

const GMAIL_SERVER = /^imap\.(?:gmail|googlemail)\.com$/i;

/** Mail accounts at any IMAP server. Records are the same as those of an mbox import, or of Google Takeout for Gmail. */
export function createImapSource(times: ImapTimes = IMAP_TIMES): SyncSource {
  return {
    kind: 'imap',
    title: 'Mail (IMAP)',
    fields: imapFields,
    isAddedOnPages: true,
    parseSettings: (given) => ({ ...parseImapSettings(given) }),
    check: (context) => checkMail(context, times),
    plan: async (context) => planMail(context),
    sync: (run) => syncMail(run, times),
    waitForChange: (context) => waitForMail(context, times),
  };
}

function checkMail(context: SyncContext, times: ImapTimes): Promise<AccountCheck> {
  return withImap(context, times, async (session) => {
    const folders = await listFolders(session);
    const hasIdle = session.client.capabilities.has('IDLE');
    return {
      account: nameAccount(readSettings(context.settings)),
      collections: folders.map(describeFolder),
      notes: [
        ...(hasIdle ? [] : ['The server does not report new mail. It is fetched at every interval.']),
        ...(chooseFolders(folders, undefined).length === 0 ? ['No folder is synced by default.'] : []),
      ],
    };
  });
}

function planMail({ settings }: SyncContext): SyncPlan {
  const isGmail = GMAIL_SERVER.test(readSettings(settings).server);
  return isGmail
    ? { format: 'gmail', title: 'Gmail (IMAP)', totals: mailTotals, declaration: gmailDeclaration }
    : { format: 'mail', title: 'Mail (IMAP)', totals: mailTotals, declaration: mailDeclaration };
}
