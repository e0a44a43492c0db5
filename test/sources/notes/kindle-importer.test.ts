import { describe, expect, it } from 'vitest';
import { recogniseInputs } from '../../../src/import/recognise.ts';
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

  it('are highlights with book, location and time', () => {
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

  it('keep the last version of an extended highlight, and report it', () => {
    expect(records.map(({ text, note }) => text ?? note)).toEqual([
      'Time does the work, and salt comes last.',
      'Another passage of the same place',
      undefined,
      'Hold both keys.',
      'Where is the index?',
    ]);
    expect(found.notes).toEqual(['1 entries were replaced by a later version']);
  });

  it('include bookmarks, notes without a highlight, and locations of old devices', () => {
    expect(records.slice(2).map(({ kind, location }) => [kind, location])).toEqual([
      ['bookmark', 'page 20, location 300'],
      ['highlight', 'location 1210-1212'],
      ['note', 'page ix'],
    ]);
    expect(records[3]?.highlighted_at).toBe('2014-01-03T07:21:00Z');
  });

  it('are not a table', async () => {
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

  it('of two overlapping files are imported once', async () => {
    const same = entry('Your Highlight at location 10-12 | Added on May 1, 2020 10:00:00 AM', 'One two');
    const other = entry('Your Highlight at location 10-11 | Added on May 2, 2020 10:00:00 AM', 'Else');
    const { records: both } = await give(same, same + other);
    expect(both.highlights?.map(({ text }) => text)).toEqual(['One two', 'Else']);
    expect(new Set(both.highlights?.map(({ id }) => id)).size).toBe(2);
  });

  it('report an unreadable entry', async () => {
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

it.each([
  [
    'Your Highlight Location 449-449 | Added on Thursday, 25 April 13 23:45:11',
    'highlight',
    '',
    449,
    '2013-04-25T21:45:11Z',
  ],
  [
    'Note Loc. 6260  | Added on Sunday, February 06, 2011, 10:03 AM',
    'note',
    '',
    6260,
    '2011-02-06T09:03:00Z',
  ],
  [
    'Your Highlight on page 421-421 | Added on Thursday, April 13, 2017 11:51:59 AM',
    'highlight',
    '421',
    undefined,
    '2017-04-13T09:51:59Z',
  ],
  [
    'Your Bookmark on page xv | Location 181 | Added on Saturday, May 12, 2018 1:02:03 AM',
    'bookmark',
    'xv',
    181,
    '2018-05-11T23:02:03Z',
  ],
  [
    'Ihr Lesezeichen auf Seite 222 | Position 3393 | Hinzugefügt am Montag, 17. Juni 2013 um 22:32:42 Uhr',
    'bookmark',
    '222',
    3393,
    '2013-06-17T20:32:42Z',
  ],
  [
    'Mi nota Posición 6 | Añadido el viernes 26 de abril de 2013, 0:04:34',
    'note',
    '',
    6,
    '2013-04-25T22:04:34Z',
  ],
  [
    'La subrayado en la posición 81-82 | Añadido el sábado, 17 de diciembre de 2022 2:30:30 p. m.',
    'highlight',
    '',
    81,
    '2022-12-17T13:30:30Z',
  ],
  [
    'Votre signet Emplacement 5527 | Ajouté le mardi 5 mars 2024 à 11:51:19',
    'bookmark',
    '',
    5527,
    '2024-03-05T10:51:19Z',
  ],
  [
    'Le mie note a pagina 222 | Posizione 3395 | Aggiunto il lunedì 17 giugno 13, 20:23:44',
    'note',
    '222',
    3395,
    '2013-06-17T18:23:44Z',
  ],
  [
    'La tua nota alla posizione 412 | Aggiunto in data Sunday, August 16, 2026 11:05:00 AM',
    'note',
    '',
    412,
    '2026-08-16T09:05:00Z',
  ],
  [
    'Seu marcador de página na página 222 | Posição 3393 | Adicionado na data segunda-feira, 17 de junho de 2013, 20:40:09',
    'bookmark',
    '222',
    3393,
    '2013-06-17T18:40:09Z',
  ],
  [
    'ハイライト ページ222 | 位置No. 3396-3396 | 追加日： 2013年6月17日 (月曜日) 20:31:09',
    'highlight',
    '222',
    3396,
    '2013-06-17T18:31:09Z',
  ],
  [
    '您在第 78 页的书签 | 添加于 2017年12月9日星期六 下午10:09:32',
    'bookmark',
    '78',
    undefined,
    '2017-12-09T21:09:32Z',
  ],
  [
    '您在位置 #1-2的标注 | 添加于 2020年1月1日星期三 上午 10:00:00',
    'highlight',
    '',
    1,
    '2020-01-01T09:00:00Z',
  ],
  ['您在位置 5-6 的標註 | 新增於 2020年1月1日星期三 下午1:00:00', 'highlight', '', 5, '2020-01-01T12:00:00Z'],
])('reads %s', async (meta, kind, page, start, at) => {
  const { records } = await give(entry(meta, kind === 'bookmark' ? '' : 'words'));
  expect(records.highlights).toEqual([expect.objectContaining({ kind, highlighted_at: at })]);
  expect([records.highlights?.[0]?.page ?? '', records.highlights?.[0]?.location_start]).toEqual([
    page,
    start,
  ]);
});

it('reads a book whose title begins with a dash', async () => {
  const { records } = await give(
    '--authors (Inconnu(e))\n- Your Note Location 20 | Added on May 1, 2020 10:00:00 AM\n\n- first\n- second\n==========\n',
  );
  expect(records.highlights?.[0]).toMatchObject({
    title: '--authors',
    author: 'Inconnu(e)',
    note: '- first\n- second',
  });
});

it('reads hostile lines in linear time, and reports what it skips', async () => {
  const meta = 'Your Highlight at location 10-12 | Added on May 1, 2020 10:00:00 AM';
  const before = process.cpuUsage();
  const { records, problems } = await give(
    entry(meta, 'a') +
      `${'('.repeat(150_000)}\n- ${meta}\n\n${'.'.repeat(40_000)}x\n==========\n` +
      entry(`${'a'.repeat(150_000)} ${meta}`, 'b') +
      entry(meta, 'c'.repeat(300_000)),
  );
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1e6).toBeLessThan(3);
  expect(problems.map(({ place }) => place)).toEqual(['entry 3', 'entry 4']);
  expect(records.highlights).toHaveLength(3);
});
