import { type Command, getPositional, getText, jsonOption, print } from './command.ts';
import { showGroups } from './print/show-groups.ts';
import { filterOptions, filterUsage, readFilter } from './where.ts';
import { getList, getNumber, given, serverOption, withServer } from './with-server.ts';

export const aggregate: Command = {
  usage: `aggregate STREAM [--connection ID] [--metric sum --field F] [--group-by A,B] [--interval month] [--time-zone ZONE] ${filterUsage} [--sort -value] [--limit N] [--bars] [--server NAME] [--json]`,
  options: {
    ...jsonOption,
    ...serverOption,
    ...filterOptions,
    connection: { type: 'string' },
    metric: { type: 'string' },
    field: { type: 'string' },
    'group-by': { type: 'string' },
    interval: { type: 'string' },
    'time-zone': { type: 'string' },
    sort: { type: 'string' },
    limit: { type: 'string' },
    bars: { type: 'boolean' },
  },
  async run(call) {
    const stream = getPositional(call, 0, 'STREAM');
    const limit = getNumber(call, 'limit');
    await withServer(call, async (tools) => {
      const answer = await tools(
        'aggregate',
        given({
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
      print(call, answer, showGroups(answer.data, bars));
    });
  },
};
