import { describeObject, integer, number, selection, text, time } from '../declare.ts';
import { declareNotes } from '../notes/notes-declaration.ts';

const notes = declareNotes('evernote', 'Evernote', {
  author: text(),
  source: text('How it was made: web.clip, desktop.mac, mobile.ios, …'),
  source_url: text('The page it was clipped from'),
  place: text(),
  latitude: number(),
  longitude: number(),
  reminder_at: time(),
  reminder_done_at: time(),
});

/** Notes of Evernote, and the files in them without their content. */
export const evernoteDeclaration = {
  ...notes,
  streams: [
    ...notes.streams,
    {
      name: 'attachments',
      description: 'Files in notes: name, type and size. Their content is not kept.',
      display: { label: 'Attachments', detail: 'Names, types and sizes of files in your notes.' },
      semantics: 'mutable_state' as const,
      schema: describeObject(['id', 'note_id'], {
        id: text(),
        note_id: text(),
        name: text(),
        type: text('Such as image/png'),
        bytes: integer(),
        width: integer(),
        height: integer(),
        source_url: text(),
        created_at: time(),
      }),
      primary_key: ['id'],
      cursor_field: 'created_at',
      selection,
      relationships: [
        { name: 'note', stream: 'notes', foreign_key: 'note_id', cardinality: 'has_one' as const },
      ],
      query: { search: { lexical_fields: ['name'] } },
    },
  ],
};
