import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { readMultipart } from '../../src/http/owner/receive-upload.ts';

const TYPE = 'multipart/form-data; boundary=xyz';
const field = (name: string, value: string) =>
  `--xyz\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const fileHead = (filename: string) =>
  `--xyz\r\nContent-Disposition: form-data; name="file"; filename="${filename}"\r\nContent-Type: text/csv\r\n\r\n`;

async function* send(...pieces: readonly (string | Error)[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    if (piece instanceof Error) throw piece;
    yield Buffer.from(piece);
  }
}

async function read(body: AsyncIterable<Uint8Array>): Promise<[string, string][]> {
  const found: [string, string][] = [];
  for await (const part of readMultipart(body, TYPE)) {
    if (part.kind === 'field') found.push([part.name, part.value]);
    else found.push([part.filename ?? '', Buffer.concat(await part.body.toArray()).toString()]);
  }
  return found;
}

describe('a multipart form', () => {
  const whole = `${field('csrf', 'token')}${fileHead('a/b.csv')}1\r\n--xy\r\n2\r\n${fileHead('größe %22x%22 100%25.csv')}\r\n--xyz--\r\n`;
  it.each([1, 7, 1_000])('is read the same in chunks of %i bytes', async (bytes) => {
    const pieces =
      Buffer.from(whole)
        .toString('latin1')
        .match(new RegExp(`[^]{1,${bytes}}`, 'g')) ?? [];
    const body = async function* () {
      for (const piece of pieces) yield Buffer.from(piece, 'latin1');
    };
    expect(await read(body())).toEqual([
      ['csrf', 'token'],
      ['a/b.csv', '1\r\n--xy\r\n2'],
      ['größe "x" 100%25.csv', ''],
    ]);
  });

  it.each([
    ['ends in a file', [fileHead('a'), 'half']],
    ['ends in a head', ['--xyz\r\nContent-Dispo']],
    ['ends before it begins', ['']],
    ['has another boundary', ['--other\r\n\r\n--other--\r\n']],
    ['has a field that is too long', [field('csrf', 'x'.repeat(201)), '--xyz--\r\n']],
    ['loses its sender', [fileHead('a'), 'half', new Error('ECONNRESET')]],
  ])('that %s is refused', async (_, pieces) => {
    await expect(read(send(...pieces))).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  it('that ends while a file is being read is refused', async () => {
    const body = async function* () {
      yield Buffer.from(`${fileHead('a')}half`);
      await wait(20);
    };
    await expect(read(body())).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  it.each(['multipart/form-data', 'text/plain', ''])('is not accepted as %j', async (type) => {
    const parts = readMultipart(send(whole), type);
    await expect(parts.next()).rejects.toMatchObject({ code: 'unsupported_media_type' });
  });

  it('of another multipart type is refused', async () => {
    const parts = readMultipart(send(whole), 'multipart/mixed; boundary=xyz');
    await expect(parts.next()).rejects.toMatchObject({ code: 'unsupported_media_type' });
  });

  it('of many small files is read at the speed of its reader, and released when abandoned', async () => {
    let sent = 0;
    let isLeft = false;
    const body = async function* () {
      try {
        for (; sent < 1_000; sent++)
          yield Buffer.from(`${fileHead('small')}${'x'.repeat(1_000)}\r\n`.repeat(50));
        yield Buffer.from('--xyz--\r\n');
      } finally {
        isLeft = true;
      }
    };
    const parts = readMultipart(body(), TYPE);
    expect((await parts.next()).value).toMatchObject({ kind: 'file', filename: 'small' });
    await wait(100);
    expect(sent).toBeLessThan(20);
    await parts.return(undefined);
    expect(isLeft).toBe(true);
  });

  it('is read at the speed of its reader, and released when abandoned', async () => {
    let sent = 0;
    let isLeft = false;
    const body = async function* () {
      try {
        yield Buffer.from(fileHead('large'));
        for (; sent < 1_000; sent++) yield Buffer.alloc(65_536);
        yield Buffer.from('\r\n--xyz--\r\n');
      } finally {
        isLeft = true;
      }
    };
    const parts = readMultipart(body(), TYPE);
    expect((await parts.next()).value).toMatchObject({ kind: 'file', filename: 'large' });
    await wait(100);
    expect(sent).toBeLessThan(20);
    await parts.return(undefined);
    expect(isLeft).toBe(true);
  });
});
