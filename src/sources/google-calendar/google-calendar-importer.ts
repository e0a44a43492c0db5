import type { Importer } from '../../import/importer.ts';
import { readCalendar } from '../calendar/read-calendar.ts';
import { recogniseCalendar } from '../calendar/recognise-calendar.ts';
import { googleCalendarDeclaration } from './google-calendar-declaration.ts';

export const googleCalendarImporter: Importer = {
  format: 'google-calendar',
  title: 'Google Calendar (.ics)',
  guide: {
    steps: [
      'Open calendar.google.com, choose the gear, then “Settings”.',
      'Choose “Import & export”, then “Export”.',
      'Drop the zip here as it is; it has one file for each calendar.',
    ],
    waiting: 'Immediately; a few minutes with takeout.google.com.',
  },
  recognise: (files) => recogniseCalendar(files, true),
  declare: async () => googleCalendarDeclaration,
  read: (recognised, options) => readCalendar(recognised, options, ['events']),
};
