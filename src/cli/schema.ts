import { type Command, getText, jsonOption, print } from './command.ts';
import { showIndex } from './print/show-index.ts';
import { showStreams } from './print/show-stream.ts';
import { given, serverOption, withServer } from './with-server.ts';

export const schema: Command = {
  usage: 'schema [STREAM] [--connection ID] [--full] [--server NAME] [--json]',
  options: { ...jsonOption, ...serverOption, connection: { type: 'string' }, full: { type: 'boolean' } },
  async run(call) {
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
      const text = stream === undefined ? showIndex(answer.data) : showStreams(answer.data);
      print(
        call,
        answer,
        json_schema === undefined ? text : `${text}\n\n${JSON.stringify(json_schema, null, 2)}`,
      );
    });
  },
};
