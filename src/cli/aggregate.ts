import { formatGroups } from './print/groups-text.ts';
import { print } from './print/print.ts';
import { type Call, getList, getNumber, getPositional, getText } from './run/call.ts';
import { readFilter } from './run/where.ts';
import { omitUndefined, withServer } from './run/with-server.ts';

export async function aggregate(call: Call): Promise<void> {
  const stream = getPositional(call, 0, 'STREAM');
  const limit = getNumber(call, 'limit');
  await withServer(call, async (tools) => {
    const answer = await tools(
      'aggregate',
      omitUndefined({
        stream,
        connection_id: getText(call, 'connection'),
        metric: getText(call, 'metric'),
        field: getText(call, 'field'),
        group_by: getList(call, 'group-by'),
        interval: getText(call, 'interval'),
        time_zone: getText(call, 'time-zone'),
        filter: await readFilter(call, tools, [stream]),
        sort: getText(call, 'sort'),
        limit,
      }),
    );
    const bars = call.values.bars === true || process.stdout.isTTY === true;
    print(call, answer, await formatGroups(answer.data, bars));
  });
}
