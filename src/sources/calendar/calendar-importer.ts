import type { Importer } from '../../import/importer.ts';
import { calendarDeclaration } from './calendar-declaration.ts';
import { readCalendar } from './read-calendar.ts';
import { recogniseCalendar } from './recognise-calendar.ts';

export const calendarImporter: Importer = {
  format: 'calendar',
  title: 'Calendar (.ics, or .csv from Outlook)',
  guide: {
    steps: [
      'Apple Calendar: choose a calendar, then “File”, “Export”, “Export…”.',
      'Outlook: “File”, “Save Calendar”; on the web “Settings”, “Shared calendars”, “Publish a calendar”, and open the ICS link.',
      'Thunderbird: “Events and Tasks”, “Export…”.',
    ],
    waiting: 'Immediately.',
    choose: 'The iCalendar format (.ics).',
  },
  recognise: (files) => recogniseCalendar(files, false),
  declare: async () => calendarDeclaration,
  read: (recognised, options) => readCalendar(recognised, options, ['events', 'tasks', 'journal']),
};
