import { describe, expect, it } from 'vitest';
import { ingestLines, readLines } from '../../src/ingest/ingest-lines.ts';
import { MAX_LINE_BYTES } from '../../src/ingest/parse-line.ts';
import { findStream, loadCatalog } from '../../src/schema-index/catalog.ts';
import { diarySource, entry } from '../support/diary-source.ts';
import { queryTables } from '../support/stores/tables.ts';
import { createWorld } from '../support/world.ts';

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

/** Ingests bytes in pieces of the given size, and returns the report and the stored titles by key. */
async function ingestBytes(bytes: Uint8Array | AsyncIterable<Uint8Array>, size = 7) {
  const world = await createWorld();
  await world.addSource(diarySource, { mine: 'My diary' });
  const stream = findStream(await loadCatalog(world.store.write), 'mine', 'entries');
  if (stream === undefined) throw new Error('no stream');
  const chunks = bytes instanceof Uint8Array ? inPieces(bytes, size) : bytes;
  const report = await ingestLines(world.store.write, stream, 'UTC', readLines(chunks));
  const rows = await queryTables<{ key: string; data: string }>(
    world.store,
    'select key, data from records order by key',
  );
  world.close();
  const titles = rows.map(({ key, data }) => [key, JSON.parse(data).title]);
  return { report, titles: Object.fromEntries(titles) };
}

const text = (id: string, title: string) => JSON.stringify(entry(id, { title }));
const [first, second] = [text('a', 'é😀'), text('b', '日本')];
const both = { a: 'é😀', b: '日本' };

describe('bytes in chunks', () => {
  const bodies: [name: string, body: string, lines: number][] = [
    ['with a last newline', `${first}\n${second}\n`, 2],
    ['without a last newline', `${first}\n${second}`, 2],
    ['with CRLF', `${first}\r\n${second}\r\n`, 2],
    ['with empty lines', `\n\n${first}\n\n\n${second}\n\n`, 7],
    ['with a byte order mark', `\ufeff${first}\n${second}\n`, 2],
    ['with white space around lines', `  ${first}\t\n \n\t${second} \n`, 3],
  ];
  it.each(bodies)('%s give the same two records', async (_, body, lines) => {
    for (const size of [1, 7, 100_000]) {
      const { report, titles } = await ingestBytes(Buffer.from(body), size);
      expect(report).toMatchObject({ lines, new: 2, refused: 0 });
      expect(titles).toEqual(both);
    }
  });

  it('that are empty give an empty report', async () => {
    expect((await ingestBytes(Buffer.alloc(0))).report).toEqual({
      lines: 0,
      new: 0,
      changed: 0,
      same: 0,
      deleted: 0,
      refused: 0,
      refusals: [],
    });
  });

  it.each([
    ['a lone continuation byte', [0x80]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['half a character of four bytes', [0xf0, 0x9f, 0x98]],
    ['a surrogate written as UTF-8', [0xed, 0xa0, 0x80]],
    ['Latin-1', [0xe9]],
  ])('with %s are refused by line and never repaired', async (_, bytes) => {
    const [head, tail] = text('bad', '#').split('#') as [string, string];
    const body = Buffer.concat([
      Buffer.from(`${first}\n${head}`),
      Buffer.from(bytes),
      Buffer.from(`${tail}\n${second}`),
    ]);
    const { report, titles } = await ingestBytes(body);
    expect(report).toMatchObject({ new: 2, refused: 1, refusals: [{ line: 2, reason: 'is not UTF-8' }] });
    expect(titles).toEqual(both);
  });

  it('without a newline are refused as one line, and only the start is buffered', async () => {
    async function* endless() {
      yield Buffer.from(`${first}\n{"key":"`);
      for (let i = 0; i < 24; i++) yield Buffer.alloc(2 ** 20, 0x61);
      yield Buffer.from(`\n${second}\n`);
    }
    const lengths: number[] = [];
    for await (const line of readLines(endless())) lengths.push(line.length);
    expect(lengths).toEqual([Buffer.byteLength(first), MAX_LINE_BYTES + 1, Buffer.byteLength(second)]);
    const { report, titles } = await ingestBytes(endless());
    expect(report).toMatchObject({
      lines: 3,
      new: 2,
      refusals: [{ line: 2, reason: 'is longer than 16 MB' }],
    });
    expect(titles).toEqual(both);
  });
});
