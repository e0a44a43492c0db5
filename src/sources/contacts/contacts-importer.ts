import type { Importer, InputFile } from '../../import/importer.ts';
import { peekText } from '../../import/read/decode-text.ts';
import { openTable } from '../../import/read/read-table.ts';
import { firstLine } from '../files/content-lines.ts';
import { recogniseFiles } from '../files/recognise-files.ts';
import { contactsDeclaration } from './contacts-declaration.ts';
import { PersonKeys } from './person.ts';
import { isContactTable, readContactTable } from './read-contact-table.ts';
import { readVcards } from './read-vcards.ts';

/** Reads address books: vCards of any version, and the CSV lists of Google, Outlook and Thunderbird. */
export const contactsImporter: Importer = {
  format: 'contacts',
  title: 'Contacts (.vcf, CSV)',
  guide: {
    steps: [
      'Google: open contacts.google.com, choose “Export”.',
      'iPhone or Mac: open Contacts (or icloud.com/contacts), select all, choose “Export vCard”.',
      'Outlook: “People”, “Manage contacts”, “Export contacts”.',
    ],
    waiting: 'Immediately.',
    choose: 'vCard, if available: it has more details than CSV.',
  },
  recognise: (files) => recogniseFiles(files, async (file) => (await isVcard(file)) || (await isTable(file))),
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
  // Parsing columns is slow, so a word that all of these tables have is checked first.
  if (!/name|naam|nom/i.test(head.slice(0, 8_000)) || /^\s*[[{<]/.test(head)) return false;
  const table = await openTable(file);
  return table !== undefined && isContactTable(table.columns);
}
