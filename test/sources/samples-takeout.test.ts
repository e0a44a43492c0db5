import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Importer } from '../../src/import/importer.ts';
import { browserImporter } from '../../src/sources/browser/browser-importer.ts';
import { calendarImporter } from '../../src/sources/calendar/calendar-importer.ts';
import { contactsImporter } from '../../src/sources/contacts/contacts-importer.ts';
import { gmailImporter } from '../../src/sources/gmail/gmail-importer.ts';
import { googleActivityImporter } from '../../src/sources/google-activity/google-activity-importer.ts';
import { googleCalendarImporter } from '../../src/sources/google-calendar/google-calendar-importer.ts';
import { googleKeepImporter } from '../../src/sources/google-keep/google-keep-importer.ts';
import { googleLocationImporter } from '../../src/sources/google-location/google-location-importer.ts';
import { googlePhotosImporter } from '../../src/sources/google-photos/google-photos-importer.ts';
import { mailImporter } from '../../src/sources/mail/mail-importer.ts';
import { tracksImporter } from '../../src/sources/tracks/tracks-importer.ts';
import { collect, readInputFolder } from '../support/input-file.ts';
import { checkRecords, countRecords } from './count-records.ts';

const SAMPLES = fileURLToPath(new URL('../../../shared/samples', import.meta.url));

/** Files of a folder as text, to count in them without any of our readers. */
const readTexts = (folder: string) =>
  readdirSync(join(SAMPLES, folder)).map((name) => readFileSync(join(SAMPLES, folder, name), 'utf8'));
const countIn = (folder: string, pattern: RegExp) =>
  readTexts(folder).reduce((sum, text) => sum + [...text.matchAll(pattern)].length, 0);

const read = async (importer: Importer, folder: string) => {
  const found = await collect(importer, readInputFolder(join(SAMPLES, folder)));
  await checkRecords(importer, found);
  return found;
};

/** Which sample folders each importer may take files from. */
const own: readonly [Importer, readonly string[]][] = [
  [gmailImporter, ['gmail-mbox']],
  [mailImporter, ['eml']],
  [googleCalendarImporter, ['calendar-ics']],
  [calendarImporter, ['calendar-ics']],
  [contactsImporter, ['contacts-vcf']],
  [googleActivityImporter, ['google-myactivity', 'youtube']],
  [googleKeepImporter, ['google-keep']],
  [googleLocationImporter, ['google-location']],
  [googlePhotosImporter, []],
  [browserImporter, ['bookmarks-html', 'google-chrome']],
  [tracksImporter, []],
];

describe.skipIf(!existsSync(SAMPLES))('sample exports', () => {
  it.each(own.map(([importer, folders]) => [importer.format, importer, folders] as const))(
    'of %s are taken whole, and nothing of others',
    async (_, importer, folders) => {
      const files = readInputFolder(SAMPLES);
      const taken = (await importer.recognise(files)).flatMap((one) => one.files.map(({ path }) => path));
      expect(taken.filter((path) => !folders.includes(path.split('/')[0] as string))).toEqual([]);
      if (!importer.format.includes('calendar'))
        expect(taken.length).toBe(
          files.filter(({ path }) => folders.includes(path.split('/')[0] as string)).length,
        );
    },
  );

  it('of mail have one record per mail', async () => {
    const gmail = await read(gmailImporter, 'gmail-mbox');
    expect(gmail.records.messages).toHaveLength(countIn('gmail-mbox', /^From .* \d{4}$/gm));
    const single = await read(mailImporter, 'eml');
    expect(single.records.messages).toHaveLength(readTexts('eml').length);
    for (const { records, problems } of [gmail, single]) {
      const threads = new Set(records.messages?.map(({ thread_id }) => thread_id));
      expect(records.threads).toHaveLength(threads.size);
      expect(problems).toEqual([]);
    }
  });

  it('of calendars have one record per event, except those without a time or with a newer version', async () => {
    const found = [
      await read(googleCalendarImporter, 'calendar-ics'),
      await read(calendarImporter, 'calendar-ics'),
    ];
    const events = found.reduce((sum, { records }) => sum + (records.events?.length ?? 0), 0);
    const problems = found.flatMap((one) => one.problems);
    expect(problems.map(({ reason }) => reason)).toEqual(['has no valid start']);
    // Two of the sample about versions are older than another of the same id.
    expect(found.flatMap(({ notes }) => notes)).toEqual(['2 older versions or copies skipped']);
    expect(events + problems.length + 2).toBe(countIn('calendar-ics', /^BEGIN:VEVENT/gm));
  });

  it('of contacts have one record per card', async () => {
    const found = await read(contactsImporter, 'contacts-vcf');
    expect(countRecords(found)).toEqual({ people: countIn('contacts-vcf', /^BEGIN:VCARD/gm) });
    expect(found.problems).toEqual([]);
  });

  it('of activity have one record per entry', async () => {
    for (const folder of ['google-myactivity', 'youtube']) {
      const found = await read(googleActivityImporter, folder);
      const entries = readTexts(folder).map((text) =>
        text.startsWith('<')
          ? text.split('class="outer-cell').length - 1
          : (JSON.parse(text) as unknown[]).length,
      );
      const counts = Object.values(countRecords(found)).reduce((sum, count) => sum + count, 0);
      expect(counts).toBe(entries.reduce((sum, count) => sum + count, 0));
      expect(found.problems).toEqual([]);
    }
  });

  it('of notes have one record per JSON file', async () => {
    const found = await read(googleKeepImporter, 'google-keep');
    const whole = readTexts('google-keep').filter((text) => {
      try {
        return JSON.parse(text);
      } catch {
        return false;
      }
    });
    expect(found.records.notes).toHaveLength(whole.length);
    expect(found.problems).toHaveLength(readTexts('google-keep').length - whole.length);
  });

  it('of locations have one record per position', async () => {
    const found = await read(googleLocationImporter, 'google-location');
    const [text] = readTexts('google-location');
    const { locations } = JSON.parse(text as string) as { locations: unknown[] };
    expect(countRecords(found)).toEqual({ points: locations.length });
  });

  it('of browsers have one record per visit and bookmark', async () => {
    const history = await read(browserImporter, 'google-chrome');
    expect(countRecords(history)).toEqual({ visits: countIn('google-chrome', /"time_usec"/g) });
    const bookmarks = await read(browserImporter, 'bookmarks-html');
    expect(countRecords(bookmarks)).toEqual({ bookmarks: countIn('bookmarks-html', /<A HREF=/gi) });
    expect([...history.problems, ...bookmarks.problems]).toEqual([]);
  });
});
