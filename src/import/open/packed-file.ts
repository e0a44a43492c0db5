import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { InputFile } from '../importer.ts';
import type { Opened } from './opened.ts';
import { MAX_RATIO, RATIO_FROM_BYTES } from './opened.ts';

/**
 * A file inside a pack. Where the pack is damaged it ends early and the report says so: importers then meet
 * nothing worse than a file that breaks off.
 */
export function createPackedFile(
  opened: Opened,
  path: string,
  bytes: number | undefined,
  unpack: () => AsyncIterable<Uint8Array>,
): InputFile {
  let told = false;
  let copy: Promise<string> | undefined;
  async function* open(): AsyncGenerator<Uint8Array> {
    try {
      yield* unpack();
    } catch (error) {
      if (!told) opened.refuse(path, describeDamage(error));
      told = true;
    }
  }
  return {
    path,
    bytes,
    head: () => opened.heads.get(path, open),
    open,
    diskPath() {
      copy ??= copyOut(open(), opened.makePlace());
      return copy;
    },
  };
}

async function copyOut(chunks: AsyncIterable<Uint8Array>, place: string): Promise<string> {
  await pipeline(Readable.from(chunks), createWriteStream(place, { mode: 0o600, flags: 'wx' }));
  return place;
}

/** What was noticed while unpacking, and is said as it is. */
export class UnpackRefusal extends Error {}

function describeDamage(error: unknown): string {
  return error instanceof UnpackRefusal
    ? error.message
    : 'is damaged or breaks off in its pack; what could be unpacked was read';
}

/** Unpacks gzip as it streams, and stops where it unpacks to far more than an export would. */
export async function* gunzip(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let packed = 0;
  let unpacked = 0;
  const count = async function* () {
    for await (const chunk of chunks) {
      packed += chunk.length;
      yield chunk;
    }
  };
  const stream = Readable.from(count(), { objectMode: false }).compose(createGunzip());
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    unpacked += chunk.length;
    if (unpacked > RATIO_FROM_BYTES && unpacked > packed * MAX_RATIO)
      throw new UnpackRefusal('unpacks to far more than an export would; the rest was left out');
    yield chunk;
  }
}
