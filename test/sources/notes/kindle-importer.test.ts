import { describe, expect, it } from 'vitest';
import { recogniseInputs } from '../../../src/import/recognise-inputs.ts';
import { importers } from '../../../src/sources/importers.ts';
import { kindleImporter } from '../../../src/sources/kindle/kindle-importer.ts';
import { collect, makeInputFile } from '../../support/input-file.ts';
import { readFixture } from '../count-records.ts';

const entry = (meta: string, text: string) => `Book (Ana)\n- ${meta}\n\n${text}\n==========\n`;
const give = (...texts: string[]) =>
  collect(
    kindleImporter,
    texts.map((text, at) => makeInputFile(`${at}.txt`, text)),
  );

describe('clippings of a Kindle', async () => {
  const found = await readFixture(kindleImporter, 'english');
  const records = found.records.highlights ?? [];

  it('are highlights with their book, place and time', () => {
    expect(found.problems).toEqual([]);
    expect(records[0]).toEqual({
      id: expect.any(String),
      kind: 'highlight',
      text: 'Time does the work, and salt comes last.',
      note: 'Tell Bo',
      title: 'Slow Bread (Second Edition)',
      author: 'Reis, Ana',
      page: '12',
      location_start: 170,
      location_end: 175,
      location: 'page 12, location 170-175',
      highlighted_at: '2013-12-01T20:05:00Z',
    });
  });

  it('keep the last version of a highlight that was extended, and say so', () => {
    expect(records.map(({ text, note }) => text ?? note)).toEqual([
      'Time does the work, and salt comes last.',
      'Another passage of the same place',
      undefined,
      'Hold both keys.',
      'Where is the index?',
    ]);
    expect(found.notes).toEqual(['1 entries were written again later; the last version is kept']);
  });

  it('know bookmarks, notes without a highlight, and places of old devices', () => {
    expect(records.slice(2).map(({ kind, location }) => [kind, location])).toEqual([
      ['bookmark', 'page 20, location 300'],
      ['highlight', 'location 1210-1212'],
      ['note', 'page ix'],
    ]);
    expect(records[3]?.highlighted_at).toBe('2014-01-03T07:21:00Z');
  });

  it('are no table', async () => {
    const file = makeInputFile(
      'My Clippings.txt',
      entry('Your Highlight on page 1 | Added on May 1, 2020', 'a'),
    );
    const { found: exports } = await recogniseInputs(importers, [file]);
    expect(exports.map(({ importer }) => importer.format)).toEqual(['kindle']);
  });

  it('keep the key of a highlight that is extended later', async () => {
    const first = entry('Your Highlight at location 10-12 | Added on May 1, 2020 10:00:00 AM', 'One two');
    const second = entry(
      'Your Highlight at location 10-14 | Added on May 1, 2020 10:05:00 AM',
      'One two three',
    );
    const [before, after] = [await give(first), await give(first + second)];
    expect(after.records.highlights?.map(({ id, text }) => [id, text])).toEqual([
      [before.records.highlights?.[0]?.id, 'One two three'],
    ]);
  });

  it('of two files that overlap are kept once', async () => {
    const same = entry('Your Highlight at location 10-12 | Added on May 1, 2020 10:00:00 AM', 'One two');
    const other = entry('Your Highlight at location 10-11 | Added on May 2, 2020 10:00:00 AM', 'Else');
    const { records: both } = await give(same, same + other);
    expect(both.highlights?.map(({ text }) => text)).toEqual(['One two', 'Else']);
    expect(new Set(both.highlights?.map(({ id }) => id)).size).toBe(2);
  });

  it('name an entry that cannot be read', async () => {
    const good = entry('Your Highlight at location 10-12 | Added on May 1, 2020 10:00:00 AM', 'One');
    const { problems, records: read } = await give(`${good}nothing of ours\n==========\n`);
    expect(read.highlights).toHaveLength(1);
    expect(problems.map(({ place }) => place)).toEqual(['entry 2']);
  });
});

it('reads clippings in many languages', async () => {
  const { records, problems } = await readFixture(kindleImporter, 'languages');
  expect(problems).toEqual([]);
  expect(
    records.highlights
      ?.map(({ kind, text, note, page, location_start, highlighted_at }) =>
        [text ?? note ?? '', kind, page ?? '', location_start, highlighted_at].join(' '),
      )
      .sort(),
  ).toEqual([
    ' bookmark  180 2020-03-03T20:01:03Z',
    'de highlight 12 170 2020-03-03T20:01:02Z',
    'es highlight 12 170 2020-06-02T19:01:02Z',
    'fr highlight  170 2020-06-02T19:01:02Z',
    'fr note note 7 90 2020-06-02T19:01:04Z',
    'it highlight 12 170 2020-06-02T19:01:02Z',
    'ja highlight 12 170 2020-06-02T19:01:02Z',
    'nl highlight 12 170 2020-05-04T19:01:02Z',
    'pt highlight 12 170 2020-06-02T19:01:02Z',
    'ru highlight 12 170 2020-06-02T19:01:02Z',
    'zh highlight 12 170 2020-06-02T19:01:02Z',
    'zh note note  200 2020-06-01T22:01:02Z',
  ]);
});
