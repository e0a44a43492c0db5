import type { Importer, InputFile } from '../../import/importer.ts';
import { peekText } from '../../import/read/decode-text.ts';
import { openTable } from '../../import/read/read-table.ts';
import { firstLine } from '../files/content-lines.ts';
import { contactsDeclaration } from './contacts-declaration.ts';
import { PersonKeys } from './person.ts';
import { isContactTable, readContactTable } from './read-contact-table.ts';
import { readVcards } from './read-vcards.ts';

/** Address books: vCards of any version, and the CSV lists of Google, Outlook and Thunderbird. */
export const contactsImporter: Importer = {
  format: 'contacts',
  title: 'Contacts (.vcf, CSV)',
  guide: {
    steps: [
      'Google: open contacts.google.com, choose “Export”.',
      'iPhone or Mac: open Contacts (or icloud.com/contacts), select all, choose “Export vCard”.',
      'Outlook: “People”, “Manage contacts”, “Export contacts”.',
    ],
    waiting: 'None: the file is written at once.',
    choose: 'vCard where there is a choice; it says more than CSV.',
  },
  async recognise(files) {
    const found: InputFile[] = [];
    for (const file of files) if ((await isVcard(file)) || (await isTable(file))) found.push(file);
    return found.length === 0 ? [] : [{ files: found, certainty: 'certain' }];
  },
  declare: async () => contactsDeclaration,
  async *read({ files }, options) {
    const keys = new PersonKeys();
    for (const file of files)
      yield* (await isVcard(file)) ? readVcards(file, options, keys) : readContactTable(file, keys);
  },
};

async function isVcard(file: InputFile): Promise<boolean> {
  return /^BEGIN:VCARD\s*$/i.test(firstLine(await peekText(file)));
}

async function isTable(file: InputFile): Promise<boolean> {
  const head = await peekText(file);
  // Looking at columns costs something, so a word that all of them have is looked for first.
  if (!/name|naam|nom/i.test(head.slice(0, 8_000)) || /^\s*[[{<]/.test(head)) return false;
  const table = await openTable(file);
  return table !== undefined && isContactTable(table.columns);
}
