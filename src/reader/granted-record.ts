import type { BoundRecord } from '../store/long-value.ts';
import { NO_TIME } from '../store/values.ts';
import type { GrantedStream } from './granted-stream.ts';

/** A record with its granted fields. */
export interface GrantedRecord extends BoundRecord {
  readonly stream: GrantedStream;
  readonly key: string;
}

export interface Match extends GrantedRecord {
  /** The event time in milliseconds, if the record has one and its field is granted. */
  readonly t: number | undefined;
}

/** A search hit whose fields are not read yet. */
export type Found = Omit<Match, 'record' | 'long'>;

/** Returns the event time if its field is granted. */
export function visibleTime(stream: GrantedStream, t: number): number | undefined {
  return stream.timeField === undefined || t === NO_TIME ? undefined : t;
}
