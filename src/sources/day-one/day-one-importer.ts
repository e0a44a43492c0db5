import type { Importer, InputFile } from '../../import/importer.ts';
import { peekText } from '../../import/read/decode-text.ts';
import { readJsonElements } from '../../import/read/read-json.ts';
import { isObject } from '../values/json-shape.ts';
import { dayOneDeclaration } from './day-one-declaration.ts';
import { readEntry } from './entry-record.ts';

/** Journals of Day One: a JSON file for each, beside folders of photos. */
export const dayOneImporter: Importer = {
  format: 'day-one',
  title: 'Day One',
  fillsArchive: true,
  identity: { entries: ['journal', 'created_at', 'text'] },
  guide: {
    steps: [
      'In Day One, open Settings, Import/Export, Export (on a Mac: File, Export, JSON).',
      'Choose “JSON” and all journals, and drop the zip here.',
    ],
    waiting: 'At once.',
  },
  async recognise(files) {
    const own: InputFile[] = [];
    for (const file of files) if (isJournal(await peekText(file))) own.push(file);
    return own.length === 0 ? [] : [{ files: own, certainty: 'certain' }];
  },
  declare: async () => dayOneDeclaration,
  async *read({ files }, options) {
    for (const file of files) {
      const journal = nameOf(file);
      for await (const element of readJsonElements(file, ['entries.*'])) {
        if (element.kind === 'problem') {
          yield { file, ...element };
          continue;
        }
        const place = `entry ${Number(element.path[1]) + 1}`;
        if (!isObject(element.value)) yield { kind: 'problem', file, place, reason: 'is not an entry' };
        else {
          const data = readEntry(element.value, journal, options);
          yield { kind: 'record', stream: 'entries', data, place, file };
        }
      }
    }
  },
};

/** By the dates of the first entry; where its text is so long that they come too late, by what stands before. */
function isJournal(head: string): boolean {
  if (!/^\s*\{/.test(head) || !/"entries"\s*:\s*\[\s*\{/.test(head)) return false;
  const hasDates =
    /"creationDate"\s*:\s*"/.test(head) && /"(?:uuid|creationDevice|modifiedDate|richText)"\s*:/.test(head);
  const isVersioned = /^\s*\{\s*"metadata"\s*:\s*\{\s*"version"/.test(head);
  return (
    hasDates || (isVersioned && /"(?:starred|creationDevice|editingTime|isAllDay|richText)"\s*:/.test(head))
  );
}

/** A file has the name of its journal. */
function nameOf({ path }: InputFile): string {
  return (path.split('/').at(-1) ?? path).replace(/\.json$/i, '').replace(/ \(\d+\)$/, '');
}
