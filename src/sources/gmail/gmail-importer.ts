import type { Importer } from '../../import/importer.ts';
import { mailTotals } from '../mail/mail-declaration.ts';
import { readMail } from '../mail/read-mail.ts';
import { recogniseMail } from '../mail/recognise-mail.ts';
import { gmailDeclaration } from './gmail-declaration.ts';

/** Reads the mbox files of Google Takeout, which contain headers that only Gmail writes. */
export const gmailImporter: Importer = {
  format: 'gmail',
  title: 'Gmail (Google Takeout)',
  guide: {
    steps: [
      'Open takeout.google.com and sign in.',
      'Choose “Deselect all”, then tick “Mail”.',
      'Choose “Next step”, then “Create export”.',
      'Download the zip from the link that Google mails to you, and drop it here as it is.',
    ],
    waiting: 'A few hours; up to two days for large mailboxes.',
    choose:
      'All mail, or single labels under “All Mail data included”. The largest file size gives the fewest parts.',
  },
  totals: mailTotals,
  recognise: (files) => recogniseMail(files, ['gmail']),
  declare: async () => gmailDeclaration,
  read: readMail,
};
