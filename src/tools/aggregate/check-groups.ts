import { AppError } from '../../errors.ts';
import type { GrantedReader } from '../../reader/granted-reader.ts';
import type { GrantedStream } from '../../reader/granted-stream.ts';
import { isTime } from '../../schema-index/field.ts';
import { getFieldFor } from '../../schema-index/find-field.ts';
import { argument, hint, wording } from '../../text/hint.ts';
import type { AggregateInput } from './aggregate-input.ts';

/** What is grouped by. With an interval or ranges the time comes first, and there may be one field beside it. */
export function checkGroups(
  args: AggregateInput,
  streams: readonly GrantedStream[],
  reader: GrantedReader,
): string[] {
  const names = args.group_by ?? [];
  if (args.interval !== undefined && args.ranges !== undefined)
    throw new AppError('invalid_argument', 'interval and ranges do not go together.', {
      hint: 'Leave one of them out.',
    });
  if (args.interval === undefined && args.ranges === undefined) {
    checkPlain(names, streams, reader);
    return names;
  }
  const [first] = streams as [GrantedStream];
  const named = names.find((name) => isTime(first.fields.get(name)?.kind ?? 'string'));
  const time = named ?? first.timeField?.name;
  const others = names.filter((name) => name !== named);
  if (others.length > 1 || time === undefined) {
    throw new AppError(
      'invalid_argument',
      'interval and ranges need a time field, and take one field beside it at most.',
      {
        hint: hint`Name them in ${argument('group_by')}, such as ${wording('["sent_at", "author"]', 'sent_at,author')}.`,
        available: [...first.fields.values()]
          .filter((field) => isTime(field.kind))
          .map((field) => field.name),
      },
    );
  }
  checkPlain(others, streams, reader);
  for (const stream of streams)
    getFieldFor(stream.fields, time, 'group_by', 'group by interval', (one) => isTime(one.kind) && one.group);
  return [time, ...others];
}

function checkPlain(
  names: readonly string[],
  streams: readonly GrantedStream[],
  reader: GrantedReader,
): void {
  for (const stream of streams)
    for (const name of names)
      if (reader.measures.groupField(stream, name)?.group !== true)
        getFieldFor(stream.fields, name, 'group_by', 'group', (one) => one.group);
}
