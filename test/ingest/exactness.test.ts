import { describe, expect, it } from 'vitest';
import { diarySource, entry } from '../support/diary-source.ts';
import { readStoredJson } from '../support/stores/tables.ts';
import { useWorld } from '../support/use-world.ts';
import { createWorld } from '../support/world.ts';

const world = await useWorld(createWorld());
await world.addSource(diarySource, { mine: 'My diary' });
const { token } = await world.grant([{ connection_id: 'mine' }]);

const line = (id: string, fields: string) =>
  `{"key":${JSON.stringify(id)},"emitted_at":"2026-11-01","data":{"id":${JSON.stringify(id)},${fields}}}`;

async function read(id: string): Promise<Record<string, unknown>> {
  const { structuredContent } = await world.call(token, 'query_records', {
    stream: 'entries',
    filter: { id },
  });
  return structuredContent.data[0]?.record;
}

/** A whole text, page by page, as a model would read it. */
async function fetchText(id: string, field: string): Promise<string> {
  let text = '';
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const { structuredContent } = await world.call(token, 'fetch', { id, field, offset });
    text += structuredContent.text;
    offset = structuredContent.metadata.next_offset;
  }
  return text;
}

describe('numbers', () => {
  const kept: [literal: string, expected: unknown][] = [
    ['0', 0],
    ['-7', -7],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', '9007199254740992'],
    ['9007199254740993', '9007199254740993'],
    ['-9007199254740993', '-9007199254740993'],
    ['18446744073709551615', '18446744073709551615'],
    ['123456789012345678901234567890', '123456789012345678901234567890'],
  ];
  it.each(kept)('I-11 %s as an integer is read back unchanged', async (literal, expected) => {
    const id = `int ${literal}`;
    expect(await world.ingest('mine', 'entries', [line(id, `"stars":${literal}`)])).toMatchObject({ new: 1 });
    expect((await read(id)).stars).toBe(expected);
  });

  it.each(['1.5', '-0.25', '1e300', '1.7976931348623157e308', '5e-324', '0.1', '123456.789'])(
    '%s as a number is read back as it was',
    async (literal) => {
      const id = `number ${literal}`;
      expect(await world.ingest('mine', 'entries', [line(id, `"price":${literal}`)])).toMatchObject({
        new: 1,
      });
      expect((await read(id)).price).toBe(Number(literal));
    },
  );

  it.each(['9007199254740993.0', '9007199254740993e0', '9.007199254740993e15'])(
    '%s is a whole number too: refused or kept, never rounded',
    async (literal) => {
      const id = `odd ${literal}`;
      const { refused } = await world.ingest('mine', 'entries', [line(id, `"price":${literal}`)]);
      if (refused === 0) expect(String((await read(id)).price)).toMatch(/9007199254740993/);
      else expect(refused).toBe(1);
    },
  );

  it('beyond 2^53 in a number field still count', async () => {
    await world.ingest('mine', 'entries', [line('huge', '"price":9007199254740992,"title":"huge"')]);
    const { structuredContent } = await world.call(token, 'aggregate', {
      stream: 'entries',
      metric: 'max',
      field: 'price',
      filter: { title: 'huge' },
    });
    expect(Number(structuredContent.data.value)).toBe(9007199254740992);
  });

  it('I-11 beyond 2^53 work as keys, in filters and inside other values', async () => {
    const lines = ['9007199254740993', '9007199254740992'].map(
      (digits) =>
        `{"key":"[\\"big\\",\\"${digits}\\"]","emitted_at":"2026-11-01","data":{"team":"big","number":${digits}}}`,
    );
    expect(await world.ingest('mine', 'members', lines)).toMatchObject({ new: 2, refused: 0 });
    const found = await world.call(token, 'query_records', {
      stream: 'members',
      filter: { number: '9007199254740993' },
    });
    expect(found.structuredContent.data.map((row: { record: object }) => row.record)).toEqual([
      { team: 'big', number: '9007199254740993' },
    ]);
    await world.ingest('mine', 'entries', [line('nested big', '"extra":{"ids":[9007199254740993,1]}')]);
    expect((await read('nested big')).extra).toEqual({ ids: ['9007199254740993', 1] });
  });
});

describe('texts', () => {
  const texts: [name: string, text: string][] = [
    ['astral characters', 'a😀b𝒳c🏳️‍🌈d👩‍👩‍👧‍👦'],
    ['scripts of the world', 'zażółć Ω привет שלום مرحبا नमस्ते 日本語 한국어 ไทย'],
    ['combining marks, not composed', 'e\u0301 vs \u00e9, \u1100\u1161'],
    ['characters at the edges of planes', '\uffff\ud800\udc00\udbff\udfff\ue000'],
    ['quotes, backslashes and markup', `"\\/'<b>&amp;\`$\{x}</b> %_; drop table records;--`],
    ['line breaks and tabs', 'a\nb\r\nc\td\u2028e\u2029f'],
    ['an escape that looks like one of ours', '\\u0041 \\u{41}'],
    ['white space at both ends', '  \n x \n  '],
    ['the empty text', ''],
  ];
  it.each(texts)('of %s are read back unchanged', async (name, text) => {
    expect(await world.ingest('mine', 'entries', [entry(name, { title: text })])).toMatchObject({ new: 1 });
    expect((await read(name)).title).toBe(text);
  });

  it('I-11 with NUL and other invisible characters are stored exactly and shown escaped', async () => {
    const title = 'a\0b\u001bc\u202ed\u{e0041}e';
    await world.ingest('mine', 'entries', [entry('unseen', { title })]);
    expect((await read('unseen')).title).toBe('a\\u{0}b\\u{1b}c\\u{202e}d\\u{e0041}e');
    expect(await readStoredJson(world.store, 'unseen')).toEqual({ id: 'unseen', title });
  });

  it('work as keys with any content', async () => {
    const keys = [
      'a/b',
      'a%2Fb',
      '日本 語',
      '😀',
      'a?b#c',
      '..',
      'a\nb',
      "'; drop table records;--",
      'nul\0nul',
    ];
    expect(
      await world.ingest(
        'mine',
        'entries',
        keys.map((key) => entry(key, { title: `key ${key.length}` })),
      ),
    ).toMatchObject({
      new: keys.length,
    });
    for (const key of keys) {
      const id = `mine/entries/${encodeURIComponent(key)}`;
      const { structuredContent } = await world.call(token, 'fetch', { id, field: 'title' });
      expect(structuredContent.text).toBe(`key ${key.length}`);
    }
  });

  it('of a megabyte are read back completely', async () => {
    const words = Array.from({ length: 1_000_000 / 8 }, (_, i) => `w${String(i).padStart(6, '0')}`);
    words[500] = '😀日本語é';
    const body = words.join(' ');
    expect(body.length).toBeGreaterThan(990_000);
    await world.ingest('mine', 'entries', [entry('long', { body })]);
    expect(await fetchText('mine/entries/long', 'body')).toBe(body);
  });
});

describe('names', () => {
  it('that every object inherits are ordinary names inside values', async () => {
    const extra = {
      constructor: 1,
      toString: 'x',
      hasOwnProperty: [true],
      prototype: { a: null },
      valueOf: '',
    };
    await world.ingest('mine', 'entries', [entry('natural', { extra })]);
    expect((await read('natural')).extra).toEqual(extra);
  });
});
