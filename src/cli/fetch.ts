import { z } from 'zod';
import type { Answer } from '../client/mcp-client.ts';
import { plain, print, repeatCall } from './print/print.ts';
import { type Call, getList, getNumber, getPositional, getText } from './run/call.ts';
import { omitUndefined, withServer } from './run/with-server.ts';

export async function fetch(call: Call): Promise<void> {
  const id = getPositional(call, 0, 'ID');
  const field = getText(call, 'field');
  const offset = getNumber(call, 'offset');
  await withServer(call, async (tools) => {
    const args = omitUndefined({
      id,
      connection_id: getText(call, 'connection'),
      fields: getList(call, 'fields'),
      field,
      offset,
      expand: getList(call, 'expand'),
    });
    const first = readPage(await tools('fetch', args));
    let page = first;
    let text = first.text;
    while (call.values.all === true && page.metadata.next_offset !== undefined) {
      page = readPage(await tools('fetch', { ...args, offset: page.metadata.next_offset }));
      text += page.text;
    }
    const { title, url } = first;
    const metadata = { ...page.metadata, offset: first.metadata.offset };
    // A single field may be piped to another program, so it is printed alone.
    const whole = `${title}\n${url}\n\n${text}${showRelated(metadata.expanded)}`;
    print(call, { ...first, text, metadata }, field === undefined ? whole : text);
    if (call.values.json !== true && metadata.next_offset !== undefined)
      console.error(
        plain(
          `More text: ${repeatCall('fetch', call, { offset: String(metadata.next_offset) })}, or add --all`,
        ),
      );
  });
}

const manyShape = z.object({ records: z.array(z.unknown()), total: z.number() });

const pageShape = z.object({
  id: z.string(),
  title: z.string(),
  text: z.string(),
  url: z.string(),
  metadata: z.looseObject({
    next_offset: z.number().optional(),
    expanded: z.record(z.string(), z.union([manyShape, z.looseObject({}), z.null()])).optional(),
  }),
});

type Related = z.infer<typeof pageShape>['metadata']['expanded'];

/** Formats related records, one per line. */
function showRelated(expanded: Related = {}): string {
  return Object.entries(expanded)
    .map(([name, related]) => {
      // A reference to a single record is an object or null.
      const one = related === null ? [] : [related];
      const many = manyShape.safeParse(related).data ?? { records: one, total: one.length };
      const { records, total } = many;
      const lines = records.map((record) => `  ${JSON.stringify(record)}`);
      return `\n\n${name}: ${records.length} of ${total}\n${lines.join('\n')}`;
    })
    .join('');
}

function readPage(answer: Answer): z.infer<typeof pageShape> {
  return pageShape.parse(answer);
}
