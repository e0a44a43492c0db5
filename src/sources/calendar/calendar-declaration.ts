import { declareSource, describeObject, integer, selection, sensitive, text, time } from '../declare.ts';
import { entryFields, googleCalendarDeclaration } from '../google-calendar/google-calendar-declaration.ts';

/** Calendars of anybody but Google: the same events under a name of their own, and what Google has no place for. */
export const calendarDeclaration = declareSource('calendar', 'Calendar', [
  ...googleCalendarDeclaration.streams,
  {
    name: 'tasks',
    description: 'Things to do, from calendars that keep them.',
    display: { label: 'Tasks', detail: 'Your tasks: what, until when, and whether it is done.' },
    semantics: 'mutable_state',
    schema: describeObject(['id'], {
      id: text(),
      title: text(),
      description: text(),
      location: text(),
      calendar: text('Name of the calendar it is in'),
      status: text('needs-action, in-process, completed or cancelled'),
      starts_at: time(),
      due_at: time(),
      completed_at: time(),
      percent_done: integer(),
      ...entryFields,
    }),
    primary_key: ['id'],
    cursor_field: 'created_at',
    consent_time_field: 'created_at',
    selection,
    views: [{ id: 'basic', label: 'What and until when', fields: ['id', 'title', 'due_at', 'status'] }],
    query: { search: { lexical_fields: ['title', 'description'] } },
  },
  {
    name: 'journal',
    description: 'Diary entries, from calendars that keep them.',
    display: { label: 'Diary entries', detail: 'What you wrote into the diary of your calendar.' },
    semantics: 'mutable_state',
    schema: sensitive(
      describeObject(['id'], {
        id: text(),
        title: text(),
        description: text(),
        location: text(),
        calendar: text('Name of the calendar it is in'),
        starts_at: time('The day it is about'),
        ...entryFields,
      }),
    ),
    primary_key: ['id'],
    cursor_field: 'starts_at',
    consent_time_field: 'starts_at',
    selection,
    query: { search: { lexical_fields: ['title', 'description'] } },
  },
]);
