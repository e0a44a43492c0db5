import { z } from 'zod';
import { plain, print, repeatCall } from './print/print.ts';
import { type Call, getList, getNumber, getText, UsageError } from './run/call.ts';
import { readFilter } from './run/where.ts';
import { omitUndefined, withServer } from './run/with-server.ts';

export async function search(call: Call): Promise<void> {
  const words = call.positionals.join(' ').trim();
  if (words === '') throw new UsageError('WORDS are missing.');
  const streams = getList(call, 'streams');
  const limit = getNumber(call, 'limit');
  await withServer(call, async (tools) => {
    const answer = await tools(
      'search',
      omitUndefined({
        query: words,
        also: call.values.also,
        streams,
        connection_id: getText(call, 'connection'),
        since: getText(call, 'since'),
        until: getText(call, 'until'),
        filter: await readFilter(call, tools, streams ?? []),
        limit,
        cursor: getText(call, 'cursor'),
      }),
    );
    print(call, answer, showHits(answer.results));
    if (call.values.json !== true && suggestsAlso(answer))
      console.error('Few of these words were found. Try other words: --also "WORDS"');
    if (call.values.json !== true && typeof answer.next_cursor === 'string')
      console.error(plain(`Next page: ${repeatCall('search', call, { cursor: answer.next_cursor })}`));
  });
}

const warnedShape = z.object({ meta: z.object({ warnings: z.array(z.string()).optional() }) });

function suggestsAlso(answer: unknown): boolean {
  const warned = warnedShape.safeParse(answer);
  return warned.success && warned.data.meta.warnings?.includes('also_may_help') === true;
}

const hitsShape = z.array(
  z.object({
    id: z.string(),
    title: z.string(),
    text: z.string().optional(),
    who: z.record(z.string(), z.string()).optional(),
    status: z.string().optional(),
    connection_id: z.string().optional(),
    stream: z.string().optional(),
    time: z.string().optional(),
  }),
);

/** Formats each hit in a few lines, with the id for `pdpp fetch`. */
function showHits(results: unknown): string {
  const hits = hitsShape.parse(results);
  if (hits.length === 0) return 'No results.';
  return hits
    .map(({ id, title, text = '', who = {}, status = '', connection_id = '', stream = '', time = '' }) =>
      [
        withoutMarks(title),
        `  ${[connection_id, stream, time, status, ...Object.values(who)].filter(Boolean).join(' ')}`,
        ...(text === '' ? [] : [`  ${withoutMarks(text)}`]),
        `  ${id}`,
      ].join('\n'),
    )
    .join('\n\n');
}

function withoutMarks(text: string): string {
  return text
    .replaceAll(/<\/?mark>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
