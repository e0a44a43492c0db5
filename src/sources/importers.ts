import type { Importer } from '../import/importer.ts';
import { appleHealthImporter } from './apple-health/apple-health-importer.ts';
import { camtImporter } from './bank/camt-importer.ts';
import { bankCsvImporter } from './bank/csv-importer.ts';
import { ofxImporter } from './bank/ofx-importer.ts';
import { qifImporter } from './bank/qif-importer.ts';
import { genericImporter } from './generic-importer.ts';
import { githubImporter } from './github/github-importer.ts';
import { goodreadsImporter } from './goodreads-importer.ts';
import { letterboxdImporter } from './letterboxd/letterboxd-importer.ts';
import { markdownImporter } from './markdown/markdown-importer.ts';
import { netflixImporter } from './netflix/netflix-importer.ts';
import { spotifyImporter } from './spotify/spotify-importer.ts';
import { stravaImporter } from './strava-importer.ts';

/** Every format that is read, the more particular before the more general: of two that are as certain, the first has the file. */
export const importers: readonly Importer[] = [
  ofxImporter,
  camtImporter,
  qifImporter,
  spotifyImporter,
  appleHealthImporter,
  githubImporter,
  stravaImporter,
  goodreadsImporter,
  letterboxdImporter,
  netflixImporter,
  bankCsvImporter,
  markdownImporter,
  // The last resort: it reads anything that has rows.
  genericImporter,
];
