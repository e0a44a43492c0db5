import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createDiskFile } from '../../../src/import/disk-file.ts';
import { recogniseInputs } from '../../../src/import/recognise.ts';
import { dayOneImporter } from '../../../src/sources/day-one/day-one-importer.ts';
import { importers } from '../../../src/sources/importers.ts';
import { collect, makeInputFile } from '../../support/input-file.ts';
import { checkRecords, readFixture } from '../count-records.ts';

describe('journals of Day One', async () => {
  const found = await readFixture(dayOneImporter, 'zip');
  const entries = found.records.entries ?? [];

  it('are one connection, with the journal of each entry', () => {
    expect(found.problems).toEqual([]);
    expect(found.recognised).toHaveLength(1);
    expect(entries.map(({ journal, title }) => [journal, title])).toEqual([
      ['Journal', 'First loaf'],
      ['Journal', 'Second'],
      ['Travel', 'Tram 28 uphill'],
      ['Travel', 'The river is loud.'],
    ]);
  });

  it('keep the time, local date, place, weather and photos of an entry', () => {
    expect(entries[0]).toEqual({
      id: 'F4CF0509F3EA47D1B56F95D37F165F5E',
      journal: 'Journal',
      title: 'First loaf',
      text: '# First loaf\n\nTime does the work. We ate it all!',
      created_at: '2019-03-18T23:04:56Z',
      day: '2019-03-19',
      edited_at: '2019-03-26T21:48:44Z',
      time_zone: 'Asia/Tokyo',
      tags: ['baking', 'home'],
      is_starred: true,
      place: 'Ueno Park',
      city: 'Tokyo',
      region: 'Tokyo',
      country: 'Japan',
      latitude: 35.71,
      longitude: 139.77,
      weather: 'Clear',
      temperature_celsius: 11.5,
      activity: 'Walking',
      steps: 4211,
      music: 'Rain – Bo',
      photos: 1,
      attachments: ['cf80411fda6ba991b6110b2365fb8286.jpeg'],
      device: 'phone',
    });
  });

  it('are read from rich text if there is no Markdown', () => {
    expect(entries[1]?.text).toBe('# Second\n\nonly rich text\n- [x] call Bo');
  });

  it('keep the transcript of a recording', () => {
    expect(entries[3]).toMatchObject({ text: 'The river is loud.', attachments: ['A1.png', 'B1.m4a'] });
  });

  it('are recognised even if the first entry exceeds the probed text', async () => {
    const text = 'long '.repeat(20_000);
    const entry = { starred: false, text, uuid: 'A', creationDate: '2020-01-01T00:00:00Z' };
    const json = JSON.stringify({ metadata: { version: '1.0' }, entries: [entry] });
    const exports = await recogniseInputs(importers, [makeInputFile('Diary.json', json)]);
    expect(exports.found.map(({ importer }) => importer.format)).toEqual(['day-one']);
  });
});

const SAMPLES = fileURLToPath(new URL('../../../../shared/samples-2/dayone/', import.meta.url));

it.skipIf(!existsSync(SAMPLES))('reads a journal of another person whole', async () => {
  const files = readdirSync(SAMPLES).map((name) => createDiskFile(SAMPLES + name, name));
  const found = await collect(dayOneImporter, files);
  await checkRecords(dayOneImporter, found);
  expect(found.problems).toEqual([]);
  expect(found.records.entries?.map(({ created_at, text }) => [created_at, text])).toEqual([
    ['2019-03-18T13:04:56Z', '# Initial entry\n\nsome text'],
    ['2010-02-26T21:44:20Z', '# Second entry\n\nsome text'],
    [
      '2010-02-27T21:14:20Z',
      '# Third entry with double escapes\n\ndouble escape a/b dot. single escape slash/',
    ],
    ['2011-03-26T21:44:20Z', undefined],
  ]);
});
