import { AppError } from '../errors.ts';
import type { GrantedRecord } from '../reader/granted-record.ts';
import type { GrantedStream } from '../reader/granted-stream.ts';
import type { ToolContext } from '../reads/granted-read.ts';
import type { Clock } from '../schema-index/filter.ts';
import { argument, hint } from '../text/hint.ts';
import { isTimeZone } from '../time/instant.ts';
import { showTime } from '../time/show-instant.ts';

/** By which clock a call reads and shows times: that of the zone it names, else the owner's. */
export function readClock(timeZone: string | undefined, context: ToolContext): Clock {
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    throw new AppError('invalid_argument', hint`${argument('time_zone')} is not a known zone.`, {
      hint: 'Use a name such as Europe/Berlin or UTC.',
    });
  }
  return { now: context.now.getTime(), timeZone: timeZone ?? context.reader.timeZone };
}

/** A record with its times by the clock of the call, so that those of one answer can be compared by eye. */
export function showTimes<T extends GrantedRecord>(found: T, clock: Clock, context: ToolContext): T {
  const times = timesOf(found.stream).filter((name) => typeof found.record[name] === 'string');
  if (times.length === 0) return found;
  const record = { ...found.record };
  for (const name of times)
    record[name] = showTime(record[name] as string, context.reader.timeZone, clock.timeZone);
  return { ...found, record };
}

const moments = new WeakMap<GrantedStream, readonly string[]>();

/** The fields of a stream that hold moments: found once, because every row of a list asks. */
function timesOf(stream: GrantedStream): readonly string[] {
  let names = moments.get(stream);
  if (names === undefined) {
    names = [...stream.fields.values()]
      .filter((field) => field.kind === 'date-time')
      .map((field) => field.name);
    moments.set(stream, names);
  }
  return names;
}
