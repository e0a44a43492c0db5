import { describe, expect, it } from 'vitest';
import { hashKey } from '../../src/import/make-key.ts';
import { DayOrder } from '../../src/import/read/day-order.ts';
import { decodeText, repairMojibake } from '../../src/import/read/decode-text.ts';
import { readHtmlText } from '../../src/import/read/html-text.ts';
import { readJson, readJsonElements } from '../../src/import/read/read-json.ts';
import { readTextLines } from '../../src/import/read/read-lines.ts';
import { MAX_COLUMNS, openTable } from '../../src/import/read/read-table.ts';
import { readDay, readEpoch, readTime } from '../../src/import/read/read-time.ts';
import { readXmlEvents } from '../../src/import/read/read-xml.ts';
import { makeInputFile } from '../support/input-file.ts';

async function take<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function decode(bytes: Uint8Array | string, pieceBytes: number) {
  const text = await decodeText(makeInputFile('a.txt', bytes, pieceBytes));
  return [(await take(text.pieces)).join(''), text.encoding()];
}

describe('decoding text', () => {
  it.each([1, 2, 3, 1_000])('joins characters that were split, %i bytes at a time', async (n) => {
    expect(await decode('größer 漢字 😀', n)).toEqual(['größer 漢字 😀', 'utf-8']);
    expect(await decode('\ufeffmark', n)).toEqual(['mark', 'utf-8']);
    const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('größer 漢字 😀', 'utf16le')]);
    expect(await decode(wide, n)).toEqual(['größer 漢字 😀', 'utf-16le']);
    expect(await decode(Buffer.from('ohne marke', 'utf16le'), n)).toEqual(['ohne marke', 'utf-16le']);
    const old = Buffer.from([0x80, 0x20, 0x67, 0x72, 0xf6, 0xdf, 0x65, 0x20, 0x96]);
    expect(await decode(old, n)).toEqual(['€ größe –', 'windows-1252']);
  });

  it('reads damaged UTF-8 as UTF-8', async () => {
    const broken = Buffer.concat([Buffer.from('größe '), Buffer.from([0xff]), Buffer.from(' weiß')]);
    expect(await decode(broken, 4)).toEqual(['größe \ufffd weiß', 'utf-8 with broken bytes']);
  });
});

describe('lines', () => {
  it('end at both kinds of line ending, and a very long one is cut', async () => {
    const lines = await take(
      readTextLines(makeInputFile('a', `a\r\nb\n\n${'x'.repeat(50)}\nc`, 7), { maxCharacters: 20 }),
    );
    expect(lines.map(({ text, isCut }) => [text, isCut])).toEqual([
      ['a', false],
      ['b', false],
      ['', false],
      ['x'.repeat(20), true],
      ['c', false],
    ]);
  });
});

describe('rows', () => {
  it.each([
    [',', 'a,b,c\n1,"x, y",3\n'],
    [';', 'a;b;c\n1;x, y;3\n'],
    ['\t', 'a\tb\tc\n1\tx, y\t3\n'],
  ])('detects the delimiter %j', async (delimiter, text) => {
    const table = await openTable(makeInputFile('a.csv', text, 5));
    expect(table?.delimiter).toBe(delimiter);
    expect(await take(table?.rows() ?? ([][Symbol.iterator]() as never))).toEqual([
      { kind: 'row', line: 2, values: { a: '1', b: 'x, y', c: '3' } },
    ]);
  });

  it('start after the notes above them, and every column has a unique name', async () => {
    const text = 'Notes:\n"Some, of you, see this"\n\nFirst,URL,First,\nA,u,B,\nC,v\n';
    const table = await openTable(makeInputFile('a.csv', text));
    expect(table?.columns).toEqual(['First', 'URL', 'First 2', 'Column 4']);
    expect(await take((table as NonNullable<typeof table>).rows())).toEqual([
      { kind: 'row', line: 5, values: { First: 'A', URL: 'u', 'First 2': 'B', 'Column 4': '' } },
      { kind: 'row', line: 6, values: { First: 'C', URL: 'v', 'First 2': '', 'Column 4': '' } },
    ]);
  });

  const readRows = async (text: string, pieceBytes?: number) => {
    const table = await openTable(makeInputFile('a.csv', text, pieceBytes));
    return take((table as NonNullable<typeof table>).rows());
  };

  it('are kept before and after an unclosed quote, which is read as text', async () => {
    expect(await readRows('a,b\n1,2\n3,"4\n5,6\n')).toEqual([
      { kind: 'row', line: 2, values: { a: '1', b: '2' } },
      { kind: 'row', line: 3, values: { a: '3', b: '"4' } },
      { kind: 'row', line: 4, values: { a: '5', b: '6' } },
      {
        kind: 'problem',
        place: 'line 3',
        reason: 'has an unclosed quote, which was read as text',
      },
    ]);
  });

  it.each(['"', ''])('are kept after a row with a huge cell (quoted with %j)', async (quote) => {
    const huge = `${quote}${'x'.repeat(17 * 2 ** 20)}${quote}`;
    expect(await readRows(`a,b\n1,2\n3,${huge}\n5,6\n`, 2 ** 18)).toEqual([
      { kind: 'row', line: 2, values: { a: '1', b: '2' } },
      { kind: 'problem', place: 'line 3', reason: 'is longer than 16 MB and was skipped' },
      { kind: 'row', line: 4, values: { a: '5', b: '6' } },
    ]);
  });

  it('with 200,000 columns of one name are read quickly', async () => {
    const names = Array.from({ length: 200_000 }, () => 'a').join(',');
    const text = `${names}\n${names}\n${names}\n${names}\n`.replace(/\n(a,)/g, '\nb,');
    const before = process.cpuUsage();
    const table = await openTable(makeInputFile('a.csv', text, 2 ** 18));
    const rows = await take((table as NonNullable<typeof table>).rows());
    const { user, system } = process.cpuUsage(before);
    expect(rows.filter(({ kind }) => kind === 'row')).toHaveLength(3);
    expect(table?.columns.length).toBe(MAX_COLUMNS);
    expect(table?.isWider).toBe(true);
    expect((user + system) / 1_000).toBeLessThan(1_500);
  });
});

describe('JSON', () => {
  const chats = {
    about: 'x "]}',
    chats: { list: [{ id: 1, messages: [{ t: 'a\\"' }, 2, null] }, { messages: [] }, { messages: ['é'] }] },
  };

  it.each([1, 2, 7, 1_000])('yields the elements at a path, %i bytes at a time', async (n) => {
    const file = makeInputFile('a.json', JSON.stringify(chats, undefined, 1), n);
    expect(await take(readJsonElements(file, ['chats.list.*.id', 'chats.list.*.messages.*']))).toEqual([
      { kind: 'element', path: ['chats', 'list', 0, 'id'], value: 1 },
      { kind: 'element', path: ['chats', 'list', 0, 'messages', 0], value: { t: 'a\\"' } },
      { kind: 'element', path: ['chats', 'list', 0, 'messages', 1], value: 2 },
      { kind: 'element', path: ['chats', 'list', 0, 'messages', 2], value: null },
      { kind: 'element', path: ['chats', 'list', 2, 'messages', 0], value: 'é' },
    ]);
    expect(await readJson(file)).toEqual({ kind: 'value', value: chats });
  });

  it('keeps ids beyond 2^53 exact and long times as numbers', async () => {
    const file = makeInputFile(
      'a.json',
      '[{"id": 1234567890123456789, "t": 1700000000.1234567}, -9007199254740993]',
    );
    expect(await readJson(file)).toEqual({
      kind: 'value',
      value: [{ id: '1234567890123456789', t: 1700000000.1234567 }, '-9007199254740993'],
    });
  });

  it('continues after a broken or too large element and keeps the elements before a broken end', async () => {
    const text = `[{"a":1},{"a":nonsense},"${'x'.repeat(60)}",{"a":2},{"a":`;
    expect(await take(readJsonElements(makeInputFile('a', text, 3), ['*'], { maxBytes: 50 }))).toEqual([
      { kind: 'element', path: [0], value: { a: 1 } },
      { kind: 'problem', place: '2', reason: 'is not valid JSON' },
      { kind: 'problem', place: '3', reason: 'is larger than 0 MB' },
      { kind: 'element', path: [3], value: { a: 2 } },
      { kind: 'problem', reason: 'is cut off. Download it again.' },
    ]);
  });

  it('refuses very deep nesting', async () => {
    expect(await readJson(makeInputFile('a', '['.repeat(100_000)))).toMatchObject({ kind: 'broken' });
    const deep = `[${'['.repeat(500)}${']'.repeat(500)},1]`;
    expect(await take(readJsonElements(makeInputFile('a', deep), ['*']))).toMatchObject([
      { kind: 'problem' },
      { kind: 'element', value: 1 },
    ]);
  });

  it('can start after an assignment', async () => {
    const file = makeInputFile('a.js', 'window.YTD.tweets.part0 = [ {"a": "="} ];\n', 4);
    expect(await take(readJsonElements(file, ['*'], { after: '=' }))).toEqual([
      { kind: 'element', path: [0], value: { a: '=' } },
    ]);
  });
});

describe('XML', () => {
  it('yields tags and texts and expands no entity of the file', async () => {
    const text =
      '<!DOCTYPE a [<!ENTITY x "boom"><!ENTITY y SYSTEM "file:///etc/passwd">]><a b="1 &amp; 2">&lt;&x;&y;<c/></a>';
    const events = await take(readXmlEvents(makeInputFile('a.xml', text, 6)));
    expect(events.filter(({ kind }) => kind !== 'problem')).toEqual([
      { kind: 'open', name: 'a', attributes: { b: '1 & 2' } },
      { kind: 'text', text: '<&x;&y;' },
      { kind: 'open', name: 'c', attributes: {} },
      { kind: 'close', name: 'c' },
      { kind: 'close', name: 'a' },
    ]);
    expect(events.filter(({ kind }) => kind === 'problem').length).toBeGreaterThan(0);
  });

  it('keeps the events before a cut-off end', async () => {
    const events = await take(readXmlEvents(makeInputFile('a.xml', '<a><b c="1"/><b c="2"', 4)));
    expect(events.slice(0, 4).map(({ kind }) => kind)).toEqual(['open', 'open', 'close', 'problem']);
  });
});

describe('HTML', () => {
  it('becomes its visible text', () => {
    const html = '<style>p{}</style><p>Dear&nbsp;<b>Anna</b>,<br>hello</p><script>x</script><div>bye</div>';
    expect(readHtmlText(html)).toBe('Dear Anna,\nhello\n\nbye');
  });

  it('becomes the same text wherever a long page is split', () => {
    const html = '<i class="a b">R&eacute;my</i>  \n\t<b>Anna</b>&nbsp; 😀,<br>';
    // Pages are read in pieces of 65,536 characters.
    for (let before = 65_536 - html.length; before <= 65_536; before += 1)
      expect(readHtmlText(`${'x'.repeat(before)}${html}end`).slice(before)).toBe('Rémy Anna 😀,\nend');
  });
});

describe('times', () => {
  const options = { timeZone: 'Europe/Berlin' };
  it.each([
    ['2024-05-01T10:00:00Z', '2024-05-01T10:00:00Z'],
    ['2024-05-01 10:00:00', '2024-05-01T08:00:00Z'],
    ['2024-01-01 10:00:00', '2024-01-01T09:00:00Z'],
    ['2024-05-01 10:00:00 UTC', '2024-05-01T10:00:00Z'],
    ['2024-05-01 10:00:00 +0200', '2024-05-01T08:00:00Z'],
    ['Wed, 10 Oct 2018 20:19:24 +0000', '2018-10-10T20:19:24Z'],
    ['Wed Oct 10 20:19:24 +0000 2018', '2018-10-10T20:19:24Z'],
    ['Oct 01, 2024, 11:35:00\u202fAM', '2024-10-01T09:35:00Z'],
    ['20240102120000[-5:EST]', '2024-01-02T17:00:00Z'],
    ['\u200e[01.02.24, 15:04:05', '2024-02-01T14:04:05Z'],
    ['5. März 2024, 15:04:05 MEZ', '2024-03-05T14:04:05Z'],
    ['5 mars 2024 à 15:04', '2024-03-05T14:04:00Z'],
    ['2024年3月5日 15:04', '2024-03-05T14:04:00Z'],
    ['Tue, 5 Mar 2024 10:00:00 -0800 (PST)', '2024-03-05T18:00:00Z'],
    ['05-Mar-2024 10:00', '2024-03-05T09:00:00Z'],
    ['31.02.2024 10:00', undefined],
    ['hello 12:00', undefined],
  ])('%s', (text, instant) => {
    expect(readTime(text, options)).toBe(instant);
  });

  it('reads day-first or month-first as requested', () => {
    expect(readDay('03/04/2024', { dayFirst: true })).toBe('2024-04-03');
    expect(readDay('03/04/2024', { dayFirst: false })).toBe('2024-03-04');
    expect(readDay('13/04/2024', { dayFirst: false })).toBe('2024-04-13');
  });

  it('reads Unix times in seconds, milliseconds and microseconds', () => {
    const instant = '2023-11-14T22:13:20Z';
    expect([1_700_000_000, '1700000000000', 1_700_000_000_000_000].map((n) => readEpoch(n))).toEqual([
      instant,
      instant,
      instant,
    ]);
    expect(readEpoch('soon')).toBeUndefined();
    expect(readEpoch(1e30, 's')).toBeUndefined();
  });

  const decide = (texts: string[], timeZone = 'Europe/Berlin') => {
    const order = new DayOrder();
    for (const text of texts) order.add(text);
    return order.decide({ timeZone }).dayFirst;
  };

  it('detects the order of day and month from the whole file', () => {
    expect(decide(['1/2/2024', '13/2/2024'])).toBe(true);
    expect(decide(['1/2/2024', '2/13/2024'], 'UTC')).toBe(false);
    expect(
      decide(['1/2/2024', '5/2/2024', '9/2/2024', '1/3/2024', '7/3/2024', '2/4/2024'], 'America/New_York'),
    ).toBe(true);
    expect(decide(['1/2/2024'], 'America/New_York')).toBe(false);
    expect(decide(['1/2/2024'])).toBe(true);
    expect(new DayOrder().decide({ timeZone: 'UTC' }).note).toBeUndefined();
  });
});

describe('text repair and keys', () => {
  it('repair the encoding of Meta and leave other text unchanged', () => {
    expect(repairMojibake('Ã¤ ð\u009f\u0098\u0080')).toBe('ä 😀');
    expect(repairMojibake('schön')).toBe('schön');
    expect(repairMojibake('漢字 Ã¤')).toBe('漢字 Ã¤');
  });

  it('give equal parts the same key and similar parts different keys', () => {
    expect(hashKey('a', 1)).toBe(hashKey('a', 1));
    expect(hashKey('a', 'b')).not.toBe(hashKey('ab'));
    expect(hashKey('1')).not.toBe(hashKey(1));
  });
});
