export type LongType = 'text' | 'list' | 'json';

/**
 * A granted value that is too long for a list of records. It is read in parts. The parts are the same text whether its
 * record is large as a whole or not.
 */
export interface LongValue {
  readonly type: LongType;
  /** Of its text as answers show it: characters, line breaks, and how many characters were escaped. */
  readonly chars: number;
  readonly lines: number;
  readonly escapes: number;
  /** The first characters of its text, as stored. */
  begin(characters: number): Promise<string>;
  /** A part of its text as shown. With an indent, every line after the first is indented by that many spaces. */
  slice(from: number, to: number, indent?: number): Promise<string>;
  /** The first items of a list; undefined for a value that is none. */
  items(): Promise<unknown[] | undefined>;
  /** The value itself, if its JSON has at most this many characters. */
  whole(characters: number): Promise<unknown>;
}

/** The granted part of a record, with the beginnings of its long values. */
export interface BoundRecord {
  readonly record: Record<string, unknown>;
  /** The long values themselves, by field. Absent where there are none. */
  readonly long?: ReadonlyMap<string, LongValue>;
}
