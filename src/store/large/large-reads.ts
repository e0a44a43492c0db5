import type { LongType } from '../long-value.ts';
import type { Scope } from '../scope.ts';
import type { TextPiece } from './split-text.ts';

/** A field of a large record as it is stored. */
export interface LargeField {
  readonly field: string;
  readonly type: LongType | 'short';
  /** JSON: a short value, or the beginning of a long one. */
  readonly value: string;
  readonly hash: string | null;
  readonly json_chars: number;
  readonly chars: number;
  readonly lines: number;
  readonly escapes: number;
}

/** Reads of large records, which a store also holds field by field. A version is named by its change number. */
export interface LargeReads {
  /** Returns the granted fields of a version, in the order of the grant. Undefined if the version was removed. */
  fields(scope: Scope, seq: number): Promise<LargeField[] | undefined>;
  /** Returns the pieces of a long text that begin before a character, in order. */
  beginning(seq: number, field: string, characters: number): Promise<string[]>;
  /** Returns the pieces that cover a part of the text as shown, in order. Lines are indented by `indent` spaces. */
  shown(seq: number, field: string, from: number, to: number, indent: number): Promise<TextPiece[]>;
  /** Returns the first items of a long list as JSON; null for other values. */
  items(seq: number, field: string): Promise<string | null>;
}
