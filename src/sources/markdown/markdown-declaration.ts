import { declareSource, declareStream, hasMany, hasOne } from '../declare.ts';

export const markdownDeclaration = declareSource('markdown', 'Notes', [
  declareStream('notes', 'Notes', {
    description: 'Notes of a folder or an Obsidian vault, whole.',
    detail: 'Your notes with all their text.',
    time: 'created_at',
    view: { label: 'Titles and tags', fields: ['id', 'title', 'tags'] },
    relations: [
      hasMany('links', 'links', 'note_id'),
      hasMany('linked_from', 'links', 'target_id'),
      hasMany('tasks', 'tasks', 'note_id'),
    ],
    search: ['title', 'body', 'tags', 'folder', 'aliases'],
    fields: {
      id: 'text: Path within the folder',
      title: 'text',
      folder: 'text',
      tags: 'list',
      created_at: 'time: As the note says it, or its name if that is a day',
      updated_at: 'time',
      body: 'text: The text, without what stands above it',
      aliases: 'list: Other names it can be linked by',
      properties: { type: 'object', description: 'All that stands above the text' },
      word_count: 'integer',
    },
  }),
  declareStream('links', 'Links between notes', {
    description: 'Links from a note to another, to a file or to the web.',
    detail: 'Which of your notes link to which.',
    relations: [hasOne('note', 'notes', 'note_id'), hasOne('target_note', 'notes', 'target_id')],
    fields: {
      id: 'text',
      note_id: 'text, required',
      target: 'text, search: As it is written',
      target_id: 'text: The note it leads to, where there is one',
      label: 'text, search: What is shown instead',
      kind: 'text: note, embed or web',
    },
  }),
  declareStream('tasks', 'Tasks', {
    description: 'Check boxes in notes, done and not done.',
    detail: 'Tasks in your notes.',
    cursor: 'due_on',
    relations: [hasOne('note', 'notes', 'note_id')],
    fields: {
      id: 'text',
      note_id: 'text, required',
      title: 'text, search: What is to be done',
      is_done: 'flag',
      due_on: 'date',
      done_on: 'date',
      tags: 'list, search',
    },
  }),
]);
