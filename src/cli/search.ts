import { z } from 'zod';
import { type Command, getText, jsonOption, plain, print, UsageError } from './command.ts';
import { filterOptions, filterUsage, readFilter } from './where.ts';
import { getList, getNumber, given, serverOption, withServer } from './with-server.ts';

export const search: Command = {
  usage: `search WORDS ... [--streams A,B] [--connection ID] [--since T] [--until T] ${filterUsage} [--limit N] [--cursor C] [--server NAME] [--json]`,
  options: {
    ...jsonOption,
    ...serverOption,
    ...filterOptions,
    streams: { type: 'string' },
    connection: { type: 'string' },
    since: { type: 'string' },
    until: { type: 'string' },
    limit: { type: 'string' },
    cursor: { type: 'string' },
  },
  async run(call) {
    const words = call.positionals.join(' ').trim();
    if (words === '') throw new UsageError('WORDS are missing');
    const streams = getList(call, 'streams');
    const limit = getNumber(call, 'limit');
    await withServer(call, async (tools) => {
      const answer = await tools(
        'search',
        given({
          query: words,
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
      if (call.values.json !== true && typeof answer.next_cursor === 'string')
        console.error(plain(`There are more: --cursor ${answer.next_cursor}`));
    });
  },
};

const hitsShape = z.array(
  z.object({
    id: z.string(),
    title: z.string(),
    text: z.string().optional(),
    who: z.record(z.string(), z.string()).optional(),
    connection_id: z.string(),
    stream: z.string(),
    time: z.string().optional(),
  }),
);

/** A few lines per hit; its id is what `pdpp fetch` takes. */
function showHits(results: unknown): string {
  const hits = hitsShape.parse(results);
  if (hits.length === 0) return 'Nothing was found.';
  return hits
    .map(({ id, title, text = '', who = {}, connection_id, stream, time = '' }) =>
      [
        withoutMarks(title),
        `  ${[connection_id, stream, time, ...Object.values(who)].join(' ').trimEnd()}`,
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
