import type { SourceDeclaration } from '../../schema-index/declaration.ts';
import { declareSource, describeObject, flag, list, selection, text, time } from '../declare.ts';

/** Programs for notes are alike: texts with a title, in folders or under tags. What one has besides is `more`. */
export function declareNotes(
  key: string,
  name: string,
  more: Parameters<typeof describeObject>[1] = {},
): SourceDeclaration {
  return declareSource(key, name, [
    {
      name: 'notes',
      description: 'Notes with their text.',
      display: { label: 'Notes', detail: 'Your notes, in full.' },
      semantics: 'mutable_state',
      schema: describeObject(['id'], {
        id: text(),
        title: text(),
        text: text(),
        folder: text(),
        tags: list(),
        created_at: time(),
        edited_at: time(),
        is_pinned: flag(),
        is_archived: flag(),
        is_trashed: flag(),
        is_locked: flag('Whether it is encrypted, so that its text is not in the export'),
        attachments: list('Names or kinds of files in it; their content is not kept'),
        links: list('Web pages named in it'),
        account: text('The account it is kept in'),
        ...more,
      }),
      primary_key: ['id'],
      cursor_field: 'edited_at',
      consent_time_field: 'edited_at',
      selection,
      views: [{ id: 'basic', label: 'Titles and dates', fields: ['id', 'title', 'folder', 'edited_at'] }],
      query: { search: { lexical_fields: ['title', 'text', 'folder', 'tags'] } },
    },
  ]);
}
