import type { Importer } from '../import/importer.ts';
import { browserImporter } from './browser-importer.ts';
import { calendarImporter } from './calendar-importer.ts';
import { contactsImporter } from './contacts-importer.ts';
import { genericImporter } from './generic-importer.ts';
import { gmailImporter } from './gmail-importer.ts';
import { googleActivityImporter } from './google-activity-importer.ts';
import { googleCalendarImporter } from './google-calendar-importer.ts';
import { googleKeepImporter } from './google-keep-importer.ts';
import { googleLocationImporter } from './google-location-importer.ts';
import { googlePhotosImporter } from './google-photos-importer.ts';
import { mailImporter } from './mail-importer.ts';
import { tracksImporter } from './tracks-importer.ts';

/** Every format that is read, the more particular before the more general: of two that are as certain, the first has the file. */
export const importers: readonly Importer[] = [
  gmailImporter,
  mailImporter,
  googleCalendarImporter,
  calendarImporter,
  contactsImporter,
  googleActivityImporter,
  googleKeepImporter,
  googleLocationImporter,
  googlePhotosImporter,
  browserImporter,
  tracksImporter,
  // The last resort: it reads anything that has rows.
  genericImporter,
];
