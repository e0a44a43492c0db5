import type { GrantedStream } from '../../reader/granted-stream.ts';
import { isTime } from '../../schema-index/field.ts';
import type { Clock, Condition } from '../../schema-index/filter.ts';
import { fromSlotValue } from '../../schema-index/slot-value.ts';
import type { ToolContext } from '../granted-read.ts';
import { findSimilarValues } from './similar-values.ts';

const MOST_FIELDS = 6;

type Conditions = ReadonlyMap<GrantedStream, readonly Condition[]>;

/**
 * What makes an answer empty: fields whose part of the filter no visible record meets, whatever the others hold, and what
 * there is at other times. "None" can then be told from a filter that asked for the wrong thing.
 */
export async function explainEmpty(
  streams: readonly GrantedStream[],
  conditions: Conditions,
  clock: Clock,
  context: ToolContext,
) {
  const [first] = streams as [GrantedStream];
  const names = [...new Set((conditions.get(first) ?? []).map(nameOf))].slice(0, MOST_FIELDS);
  const unmet: string[] = [];
  for (const name of names) {
    const alone = keep(conditions, (one) => nameOf(one) === name);
    if ((await countAll(streams, alone, context)) === 0) unmet.push(name);
  }
  const elsewhen = await findOtherTimes(streams, conditions, clock, context);
  const why = {
    ...(unmet.length === 0 ? {} : { no_record_meets: unmet }),
    ...(elsewhen === undefined ? {} : { at_other_times: elsewhen }),
  };
  return {
    ...(Object.keys(why).length === 0 ? {} : { why_empty: why }),
    ...(await findSimilarValues(streams, conditions, context)),
  };
}

/** What meets all that is not about the stream's time. */
async function findOtherTimes(
  streams: readonly GrantedStream[],
  conditions: Conditions,
  clock: Clock,
  context: ToolContext,
) {
  const [{ timeField }] = streams as [GrantedStream];
  const isAboutTime = (one: Condition) => isTime(one.field.kind) && one.field.name === timeField?.name;
  const asked = [...conditions.values()].flat();
  if (timeField === undefined || !asked.some(isAboutTime)) return undefined;
  const rest = keep(conditions, (one) => !isAboutTime(one));
  const records = await countAll(streams, rest, context);
  if (records === 0) return undefined;
  const measure = { streams, metric: 'count', adding: 'near', groupBy: [], conditions: rest } as const;
  const read = async (end: 'min' | 'max') => {
    const time = await context.reader.measures.extreme({ ...measure, field: timeField.name }, end);
    return time === undefined ? undefined : fromSlotValue(timeField.kind, time, clock.timeZone);
  };
  const [first, last] = [await read('min'), await read('max')];
  return { records, ...(first === undefined ? {} : { first, last }) };
}

const nameOf = ({ through, field }: Condition): string => through ?? field.name;

function keep(conditions: Conditions, test: (one: Condition) => boolean): Map<GrantedStream, Condition[]> {
  return new Map([...conditions].map(([stream, own]) => [stream, own.filter(test)]));
}

async function countAll(streams: readonly GrantedStream[], conditions: Conditions, { reader }: ToolContext) {
  let records = 0;
  for (const stream of streams) records += await reader.count(stream, conditions.get(stream));
  return records;
}
