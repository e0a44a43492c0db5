import type { Context } from 'hono';

/** Streams a CSV download. */
export function answerCsv(c: Context, name: string, pieces: AsyncIterable<string>): Response {
  c.header('content-type', 'text/csv; charset=utf-8');
  c.header(
    'content-disposition',
    `attachment; filename="${name.replace(/[^\w-]+/g, '_').slice(0, 100)}.csv"`,
  );
  return c.body(ReadableStream.from(encodeAll(pieces)));
}

async function* encodeAll(pieces: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const piece of pieces) yield encoder.encode(piece);
}
