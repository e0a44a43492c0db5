import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HeadCache } from '../../src/import/open/head-cache.ts';
import { makeFolder } from '../support/temp-folder.ts';

const KILOBYTES_64 = 65_536;

describe('heads of archived files', () => {
  it('are unpacked once each, for any number of files and reads', async () => {
    const folder = makeFolder();
    const cache = new HeadCache(() => join(folder, 'heads'));
    const unpacked: number[] = [];
    const ask = (n: number) =>
      cache.get(`file ${n}`, async function* () {
        unpacked.push(n);
        yield Buffer.alloc(KILOBYTES_64, `${n} `);
      });
    // More than is kept in the memory.
    const numbers = Array.from({ length: 1_200 }, (_, n) => n);
    for (const n of numbers) await ask(n);
    for (const n of numbers) {
      const head = await ask(n);
      expect([head.length, Buffer.from(head.subarray(0, 5)).toString()]).toEqual([
        KILOBYTES_64,
        `${n} ${n} ${n} `.slice(0, 5),
      ]);
    }
    cache.close();
    expect(unpacked).toEqual(numbers);
  });

  it('are short for pictures', async () => {
    const cache = new HeadCache(() => '');
    const head = await cache.get('a.jpg', async function* () {
      yield Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(KILOBYTES_64)]);
    });
    expect(head.length).toBe(512);
  });
});
