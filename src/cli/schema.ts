import { print } from './print/print.ts';
import { showIndex } from './print/show-index.ts';
import { showStreams } from './print/show-stream.ts';
import { type Call, getText } from './run/call.ts';
import { given, withServer } from './run/with-server.ts';

export async function schema(call: Call): Promise<void> {
  const [stream] = call.positionals;
  await withServer(call, async (tools) => {
    const answer = await tools(
      'schema',
      given({
        stream,
        connection_id: getText(call, 'connection'),
        detail: call.values.full === true ? 'full' : undefined,
      }),
    );
    const { json_schema } = answer.data as { json_schema?: unknown };
    const text = await (stream === undefined ? showIndex(answer.data) : showStreams(answer.data));
    print(
      call,
      answer,
      json_schema === undefined ? text : `${text}\n\n${JSON.stringify(json_schema, null, 2)}`,
    );
  });
}
