import { declareStream, hasOne } from '../declare.ts';
import { declareNotes } from '../notes/notes-declaration.ts';

const notes = declareNotes('evernote', 'Evernote', {
  author: 'text',
  source: 'text: How it was made: web.clip, desktop.mac, mobile.ios, …',
  source_url: 'text: The page it was clipped from',
  place: 'text',
  latitude: 'number',
  longitude: 'number',
  reminder_at: 'time',
  reminder_done_at: 'time',
});

export const evernoteDeclaration = {
  ...notes,
  streams: [
    ...notes.streams,
    declareStream('attachments', 'Attachments', {
      description: 'Files in notes: name, type and size. Their content is not kept.',
      detail: 'Names, types and sizes of files in your notes.',
      cursor: 'created_at',
      relations: [hasOne('note', 'notes', 'note_id')],
      fields: {
        id: 'text',
        note_id: 'text, required',
        name: 'text, search',
        type: 'text: Such as image/png',
        bytes: 'integer',
        width: 'integer',
        height: 'integer',
        source_url: 'text',
        created_at: 'time',
      },
    }),
  ],
};
