import type { Context, Hono } from 'hono';

/** Adds a page and its JSON form at the same path with .json. */
export function addPage<View extends object>(
  app: Hono,
  path: string,
  load: (c: Context) => Promise<View>,
  show: (view: View, c: Context) => Response | Promise<Response>,
): void {
  // Ids and names have no dot in them, so the ending cannot be part of one.
  const twin = path.replace(/:(\w+)$/, ':$1{[^/.]+\\.json}');
  app.get(twin === path ? `${path}.json` : twin, async (c) => c.json(await load(c)));
  app.get(path, async (c) => show(await load(c), c));
}

/** Returns a path parameter without .json. */
export function getPathParameter(c: Context, name: string): string {
  return (c.req.param(name) ?? '').replace(/\.json$/, '');
}

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
