import type { BoundRecord } from '../store/long-value.ts';
import { NO_TIME } from '../store/values.ts';
import type { GrantedStream } from './granted-stream.ts';

/** A record as the grant shows it. `value` is what it was sorted by. */
export interface GrantedRecord extends BoundRecord {
  readonly stream: GrantedStream;
  readonly key: string;
}

export interface Match extends GrantedRecord {
  /** The event time in milliseconds, if there is one and its field is granted. */
  readonly t: number | undefined;
}

/** A record that words were found in; what it holds is not read yet. */
export type Found = Omit<Match, 'record' | 'long'>;

/** When a record happened, as far as the grant lets it be known. */
export function visibleTime(stream: GrantedStream, t: number): number | undefined {
  return stream.timeField === undefined || t === NO_TIME ? undefined : t;
}
