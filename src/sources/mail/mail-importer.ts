import type { Importer } from '../../import/importer.ts';
import { mailDeclaration, mailTotals } from './mail-declaration.ts';
import { readMail } from './read-mail.ts';
import { recogniseMail } from './recognise-mail.ts';

/** Reads mail outside Gmail: mbox files, single mails, Maildir folders, files of Apple Mail. */
export const mailImporter: Importer = {
  format: 'mail',
  title: 'Mail (mbox, .eml, Maildir)',
  guide: {
    steps: [
      'Thunderbird: in the folder “Mail” or “ImapMail” of your profile, choose the files without an extension.',
      'Apple Mail: choose a mailbox, then “Mailbox”, “Export Mailbox…”.',
      'Outlook on the web: open a mail, choose “…”, “Download”.',
      'A mail server of your own: the Maildir folder of your account.',
    ],
    waiting: 'None: the files are on your computer.',
  },
  totals: mailTotals,
  recognise: (files) => recogniseMail(files, ['mbox', 'single']),
  declare: async () => mailDeclaration,
  read: readMail,
};
