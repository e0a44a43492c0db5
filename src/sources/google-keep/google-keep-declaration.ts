import { declareSource, declareStream } from '../declare.ts';
import { declareAttachments } from '../declare-attachments.ts';

const streams = declareSource('google_keep', 'Google Keep', [
  declareStream('notes', 'Notes', {
    description: 'Notes and lists.',
    detail: 'Your notes and lists.',
    time: 'edited_at',
    view: { label: 'Titles and dates', fields: ['id', 'title', 'labels', 'edited_at'] },
    fields: {
      id: 'text',
      title: 'text, search',
      text: 'text, search: The note; the lines of a list begin with [ ] or [x]',
      labels: 'list, search',
      color: 'text',
      is_pinned: 'flag',
      is_archived: 'flag',
      is_trashed: 'flag',
      open_items: 'integer: Lines of a list that are not ticked',
      done_items: 'integer: Lines of a list that are ticked',
      shared_with: 'list: Mail addresses of people it is shared with',
      links: 'list: Web pages named in it',
      attachments: 'list: File names of pictures, drawings and recordings',
      created_at: 'time',
      edited_at: 'time',
    },
  }),
]);

export const googleKeepDeclaration = declareAttachments(streams, 'notes');
