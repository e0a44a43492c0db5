import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Importer } from '../../src/import/importer.ts';
import { appleHealthImporter } from '../../src/sources/apple-health/apple-health-importer.ts';
import { bankCsvImporter } from '../../src/sources/bank/csv-importer.ts';
import { ofxImporter } from '../../src/sources/bank/ofx-importer.ts';
import { qifImporter } from '../../src/sources/bank/qif-importer.ts';
import { githubImporter } from '../../src/sources/github/github-importer.ts';
import { goodreadsImporter } from '../../src/sources/goodreads/goodreads-importer.ts';
import { letterboxdImporter } from '../../src/sources/letterboxd/letterboxd-importer.ts';
import { markdownImporter } from '../../src/sources/markdown/markdown-importer.ts';
import { netflixImporter } from '../../src/sources/netflix/netflix-importer.ts';
import { spotifyImporter } from '../../src/sources/spotify/spotify-importer.ts';
import { stravaImporter } from '../../src/sources/strava/strava-importer.ts';
import { collect, makeInputFile } from '../support/input-file.ts';

const SAMPLES = '../shared/samples';

/** How many items a file holds, counted without our readers. */
const marks = (pattern: RegExp) => (text: string) => text.match(pattern)?.length ?? 0;
const lines = (text: string) => text.split(/\r\n|\r|\n/).filter((line) => line !== '').length - 1;
const elements = (text: string) => [JSON.parse(text)].flat().length;

const cases: [folder: string, importer: Importer, streams: string[], count: (text: string) => number][] = [
  ['bank-ofx', ofxImporter, ['transactions'], marks(/<STMTTRN>/g)],
  ['bank-qif', qifImporter, ['transactions'], marks(/^\^/gm)],
  ['bank-csv', bankCsvImporter, ['transactions'], lines],
  ['spotify', spotifyImporter, ['plays'], elements],
  ['goodreads', goodreadsImporter, ['books'], marks(/^\d+,/gm)],
  ['letterboxd', letterboxdImporter, ['diary', 'ratings', 'watched'], lines],
  ['netflix', netflixImporter, ['viewing'], lines],
  ['strava', stravaImporter, ['activities'], lines],
  ['github', githubImporter, ['issues', 'repositories', 'stars'], elements],
  ['obsidian-markdown', markdownImporter, ['notes'], () => 1],
];

describe.runIf(existsSync(SAMPLES))('samples', () => {
  it.each(cases)(
    'of %s are imported completely, under any name',
    async (folder, importer, streams, count) => {
      const names = readdirSync(`${SAMPLES}/${folder}`);
      expect(names).not.toEqual([]);
      for (const name of names) {
        const bytes = readFileSync(`${SAMPLES}/${folder}/${name}`);
        const path = importer === markdownImporter ? name : 'renamed.bin';
        const { records } = await collect(importer, [makeInputFile(path, bytes)]);
        const read = streams.reduce((sum, stream) => sum + (records[stream]?.length ?? 0), 0);
        expect([name, read]).toEqual([name, count(bytes.toString('utf8'))]);
      }
    },
  );

  it('of apple-health are imported completely, without its CSV files', async () => {
    const names = readdirSync(`${SAMPLES}/apple-health`);
    for (const name of names) {
      const bytes = readFileSync(`${SAMPLES}/apple-health/${name}`);
      const { recognised, records } = await collect(appleHealthImporter, [makeInputFile('renamed', bytes)]);
      expect([name, recognised.length]).toEqual([name, name.endsWith('.xml') ? 1 : 0]);
      const count = (tag: string) => bytes.toString().match(new RegExp(`<${tag} `, 'g'))?.length ?? 0;
      if (!name.endsWith('.xml')) continue;
      expect(records.samples?.length).toBe(count('Record'));
      expect(records.workouts?.length).toBe(count('Workout'));
      expect(records.activity_summaries?.length).toBe(count('ActivitySummary'));
    }
  });
});
