import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { MOST_RATIO, RATIO_FROM_BYTES } from './opened.ts';
import { UnpackRefusal } from './packed-file.ts';

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
    if (unpacked > RATIO_FROM_BYTES && unpacked > packed * MOST_RATIO)
      throw new UnpackRefusal('unpacks to far more than an export would; the rest was left out');
    yield chunk;
  }
}
