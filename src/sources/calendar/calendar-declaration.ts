import { declareSource, declareStream } from '../declare.ts';
import { entryFields, googleCalendarDeclaration } from '../google-calendar/google-calendar-declaration.ts';

/** The streams of Google Calendar under another name, with fields that Google lacks. */
export const calendarDeclaration = declareSource('calendar', 'Calendar', [
  ...googleCalendarDeclaration.streams,
  declareStream('tasks', 'Tasks', {
    description: 'Tasks, from calendars that support them.',
    detail: 'Your tasks: what, until when, and whether it is done.',
    time: 'created_at',
    view: { label: 'What and until when', fields: ['id', 'title', 'due_at', 'status'] },
    fields: {
      id: 'text',
      title: 'text, search',
      description: 'text, search',
      location: 'text',
      calendar: 'text: Name of the calendar it is in',
      status: 'text: needs-action, in-process, completed or cancelled',
      starts_at: 'time',
      due_at: 'time',
      completed_at: 'time',
      percent_done: 'integer',
      ...entryFields,
    },
  }),
  declareStream('journal', 'Diary entries', {
    description: 'Diary entries, from calendars that support them.',
    detail: 'What you wrote into the diary of your calendar.',
    time: 'starts_at',
    isSensitive: true,
    fields: {
      id: 'text',
      title: 'text, search',
      description: 'text, search',
      location: 'text',
      calendar: 'text: Name of the calendar it is in',
      starts_at: 'time: The day it refers to',
      ...entryFields,
    },
  }),
]);
