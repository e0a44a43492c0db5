import { print } from './print/print.ts';
import { formatIndex, formatStreams } from './print/schema-text.ts';
import { type Call, getText } from './run/call.ts';
import { omitUndefined, withServer } from './run/with-server.ts';

export async function schema(call: Call): Promise<void> {
  const [stream] = call.positionals;
  await withServer(call, async (tools) => {
    const answer = await tools(
      'schema',
      omitUndefined({
        stream,
        connection_id: getText(call, 'connection'),
        detail: call.values.full === true ? 'full' : undefined,
      }),
    );
    const { json_schema } = answer.data as { json_schema?: unknown };
    const text = await (stream === undefined ? formatIndex(answer.data) : formatStreams(answer.data));
    print(
      call,
      answer,
      json_schema === undefined ? text : `${text}\n\n${JSON.stringify(json_schema, null, 2)}`,
    );
  });
}
