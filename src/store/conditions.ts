import type { FieldRef } from './scope.ts';
import type { Value } from './values.ts';

/** The offset of a zone from UTC before an instant. The last one has no end. */
export interface ZoneOffset {
  readonly until: number;
  readonly offset: number;
}

/** What a clock condition compares. */
export type ClockUnit = 'weekday' | 'hour';

/** One test on one field. All conditions of a request must hold. */
export type Condition = { readonly field: FieldRef } & ConditionTest;

export type ConditionTest =
  | { readonly op: 'any'; readonly values: readonly Value[] }
  | { readonly op: 'none'; readonly values: readonly Value[] }
  | { readonly op: 'lt' | 'lte' | 'gt' | 'gte'; readonly value: Value }
  /** Inside of one period, or outside of all. A period does not include its end. */
  | {
      readonly op: 'within' | 'outside';
      readonly intervals: readonly (readonly [from: number, to: number])[];
    }
  | { readonly op: 'exists'; readonly yes: boolean }
  /** A text contains another or begins with it, ignoring case. */
  | { readonly op: 'contains' | 'starts_with'; readonly text: string }
  /** The clock of a zone shows one of these weekdays (Monday is 0) or hours. */
  | {
      readonly op: ClockUnit;
      readonly parts: readonly number[];
      readonly zone: string;
      /** The offsets of the zone for all times of the field. Required in requests to the store. */
      readonly offsets?: readonly ZoneOffset[];
    };
