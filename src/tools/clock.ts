import { AppError } from '../errors.ts';
import type { GrantedRecord } from '../reader/granted-record.ts';
import type { Clock } from '../schema-index/filter.ts';
import { isTimeZone } from '../time/instant.ts';
import { showTime } from '../time/show-instant.ts';
import type { ToolContext } from './granted-read.ts';

/** By which clock a call reads and shows times: that of the zone it names, else the owner's. */
export function readClock(timeZone: string | undefined, context: ToolContext): Clock {
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    throw new AppError('invalid_argument', 'time_zone is not a known zone.', {
      hint: 'Use a name such as Europe/Berlin or UTC.',
    });
  }
  return { now: context.now.getTime(), timeZone: timeZone ?? context.reader.timeZone };
}

/** A record with its times by the clock of the call, so that those of one answer can be compared by eye. */
export function showTimes<T extends GrantedRecord>(found: T, clock: Clock, context: ToolContext): T {
  const record = Object.fromEntries(
    Object.entries(found.record).map(([name, value]) => [
      name,
      typeof value === 'string' && found.stream.fields.get(name)?.kind === 'date-time'
        ? showTime(value, context.reader.timeZone, clock.timeZone)
        : value,
    ]),
  );
  return { ...found, record };
}
