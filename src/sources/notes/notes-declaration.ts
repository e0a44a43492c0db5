import type { SourceDeclaration } from '../../schema-index/declaration.ts';
import { declareSource, declareStream, type Fields } from '../declare.ts';

/** Declares the notes of a program: texts with a title, in folders or with tags. `more` has further fields. */
export function declareNotes(key: string, name: string, more: Fields = {}): SourceDeclaration {
  return declareSource(key, name, [
    declareStream('notes', 'Notes', {
      description: 'Notes with their text.',
      detail: 'Your notes, in full.',
      time: 'edited_at',
      view: { label: 'Titles and dates', fields: ['id', 'title', 'folder', 'edited_at'] },
      fields: {
        id: 'text',
        title: 'text, search',
        text: 'text, search',
        folder: 'text, search',
        tags: 'list, search',
        created_at: 'time',
        edited_at: 'time',
        is_pinned: 'flag',
        is_archived: 'flag',
        is_trashed: 'flag',
        is_locked:
          'flag: Whether the note is encrypted. The export does not contain the text of encrypted notes',
        attachments: 'list: Names or kinds of files in it',
        links: 'list: Web pages named in it',
        account: 'text: The account that contains it',
        ...more,
      },
    }),
  ]);
}
