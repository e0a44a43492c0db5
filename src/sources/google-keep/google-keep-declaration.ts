import { declareSource, describeObject, flag, integer, list, selection, text, time } from '../declare.ts';

export const googleKeepDeclaration = declareSource('google_keep', 'Google Keep', [
  {
    name: 'notes',
    description: 'Notes and lists.',
    display: { label: 'Notes', detail: 'Your notes and lists.' },
    semantics: 'mutable_state',
    schema: describeObject(['id'], {
      id: text(),
      title: text(),
      text: text('The note; the lines of a list begin with [ ] or [x]'),
      labels: list(),
      color: text(),
      is_pinned: flag(),
      is_archived: flag(),
      is_trashed: flag(),
      open_items: integer('Lines of a list that are not ticked'),
      done_items: integer('Lines of a list that are ticked'),
      shared_with: list('Mail addresses of those who see it too'),
      links: list('Web pages named in it'),
      attachments: list('File names of pictures, drawings and recordings; their content is not kept'),
      created_at: time(),
      edited_at: time(),
    }),
    primary_key: ['id'],
    cursor_field: 'edited_at',
    consent_time_field: 'edited_at',
    selection,
    views: [{ id: 'basic', label: 'Titles and dates', fields: ['id', 'title', 'labels', 'edited_at'] }],
    query: { search: { lexical_fields: ['title', 'text', 'labels'] } },
  },
]);
