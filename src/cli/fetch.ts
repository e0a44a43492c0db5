import { z } from 'zod';
import type { Answer } from '../client/mcp-client.ts';
import {
  type Command,
  getPositional,
  getText,
  jsonOption,
  parseWholeNumber,
  plain,
  print,
} from './command.ts';
import { getList, given, serverOption, withServer } from './with-server.ts';

export const fetch: Command = {
  usage:
    'fetch ID [--connection ID] [--fields A,B | --field F] [--offset N] [--all] [--expand A,B] [--server NAME] [--json]',
  options: {
    ...jsonOption,
    ...serverOption,
    connection: { type: 'string' },
    fields: { type: 'string' },
    field: { type: 'string' },
    offset: { type: 'string' },
    all: { type: 'boolean' },
    expand: { type: 'string' },
  },
  async run(call) {
    const id = getPositional(call, 0, 'ID');
    const offset = getText(call, 'offset');
    const field = getText(call, 'field');
    await withServer(call, async (tools) => {
      const args = given({
        id,
        connection_id: getText(call, 'connection'),
        fields: getList(call, 'fields'),
        field,
        offset: offset === undefined ? undefined : parseWholeNumber(offset, 0, 'offset'),
        expand: getList(call, 'expand'),
      });
      let page = readPage(await tools('fetch', args));
      let text = page.text;
      while (call.values.all === true && page.metadata.next_offset !== undefined) {
        page = readPage(await tools('fetch', { ...args, offset: page.metadata.next_offset }));
        text += page.text;
      }
      const { title, url, metadata } = page;
      // One field may go on to another program; a whole record is for reading.
      print(call, { ...page, text }, field === undefined ? `${title}\n${url}\n\n${text}` : text);
      if (call.values.json !== true && metadata.next_offset !== undefined)
        console.error(plain(`There is more: --offset ${metadata.next_offset}, or --all`));
    });
  },
};

const pageShape = z.object({
  id: z.string(),
  title: z.string(),
  text: z.string(),
  url: z.string(),
  metadata: z.looseObject({ next_offset: z.number().optional() }),
});

function readPage(answer: Answer): z.infer<typeof pageShape> {
  return pageShape.parse(answer);
}
