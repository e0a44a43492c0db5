export type LongType = 'text' | 'list' | 'json';

/**
 * A granted value that is too long for a list of records. It is read in parts. The parts are the same text whether its
 * record is large as a whole or not.
 */
export interface LongValue {
  readonly type: LongType;
  /** The length of its text as answers show it, its line breaks, and its escaped characters. */
  readonly chars: number;
  readonly lines: number;
  readonly escapes: number;
  /** Returns the first characters of its text as stored. */
  begin(characters: number): Promise<string>;
  /** Returns a part of its text as shown. Every line after the first is indented by `indent` spaces. */
  slice(from: number, to: number, indent?: number): Promise<string>;
  /** Returns the first items of a list; undefined for other values. */
  items(): Promise<unknown[] | undefined>;
  /** Returns the value if its JSON has at most this many characters. */
  whole(characters: number): Promise<unknown>;
}

/** The granted part of a record, with the beginnings of its long values. */
export interface BoundRecord {
  readonly record: Record<string, unknown>;
  /** The long values themselves, by field. Absent where there are none. */
  readonly long?: ReadonlyMap<string, LongValue>;
}
