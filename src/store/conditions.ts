import type { FieldRef } from './scope.ts';
import type { Value } from './values.ts';

/** How far a clock is ahead of UTC, up to an instant that does not belong to it; the last has no end. */
export interface ZoneOffset {
  readonly until: number;
  readonly offset: number;
}

/** What a clock shows: some weekdays or some hours. */
export type ClockUnit = 'weekday' | 'hour';

/** One test on one field. All conditions of a request must hold. */
export type Condition = { readonly field: FieldRef } & ConditionTest;

export type ConditionTest =
  | { readonly op: 'any'; readonly values: readonly Value[] }
  | { readonly op: 'none'; readonly values: readonly Value[] }
  | { readonly op: 'lt' | 'lte' | 'gt' | 'gte'; readonly value: Value }
  /** Inside one of some periods, or outside of all of them. A period does not include its end. */
  | {
      readonly op: 'within' | 'outside';
      readonly stretches: readonly (readonly [from: number, to: number])[];
    }
  | { readonly op: 'exists'; readonly yes: boolean }
  /** Somewhere in a text, or at its beginning; case-insensitive. */
  | { readonly op: 'contains' | 'starts_with'; readonly text: string }
  /** What the clock of a zone shows: some weekdays, Monday being 0, or some hours. */
  | {
      readonly op: ClockUnit;
      readonly parts: readonly number[];
      readonly zone: string;
      /** The zone's offsets over the times that the field has. Required when a condition reaches the store. */
      readonly offsets?: readonly ZoneOffset[];
    };
