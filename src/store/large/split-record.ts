import { textForm } from '../../words/text-form.ts';
import { beginningOf, FILTERED_CHARACTERS, firstItems, hash, longTypeOf } from './long-value.ts';
import { splitText } from './split-text.ts';

/** A row of large_fields after the change number, in the order of its columns. */
export type FieldRow = readonly [
  field: string,
  type: string,
  value: string,
  hash: string | null,
  items: string | null,
  jsonChars: number,
  chars: number,
  lines: number,
  escapes: number,
];
/** A row of large_pieces after the field. */
export type PieceRow = readonly [start: number, shownStart: number, lines: number, text: string];

/** Yields the rows that store each field of a large record, in addition to the record itself. */
export function* splitRecord(
  data: string,
  fields: readonly string[],
): Generator<{ readonly row: FieldRow; readonly pieces: readonly PieceRow[] }> {
  const record = JSON.parse(data) as Record<string, unknown>;
  for (const field of fields) {
    const value = Object.hasOwn(record, field) ? record[field] : null;
    if (value !== null && value !== undefined) yield splitField(field, value);
  }
}

function splitField(field: string, value: unknown): { row: FieldRow; pieces: PieceRow[] } {
  const json = JSON.stringify(value);
  const type = longTypeOf(value);
  if (type === undefined)
    return { row: [field, 'short', json, null, null, json.length, 0, 0, 0], pieces: [] };
  const pieces: PieceRow[] = [];
  const { chars, lines, escapes } = splitText(textForm(value), (piece) =>
    pieces.push([piece.start, piece.shownStart, piece.lines, piece.text]),
  );
  const beginning = JSON.stringify(beginningOf(value, type));
  const items = Array.isArray(value) ? JSON.stringify(firstItems(value, FILTERED_CHARACTERS)) : null;
  return { row: [field, type, beginning, hash(json), items, json.length, chars, lines, escapes], pieces };
}

/** Returns the declared fields of a stream. No other field can be granted, so no other is stored one by one. */
export function declaredFields(declaration: string, stream: string): string[] {
  const { streams } = JSON.parse(declaration) as {
    streams: { name: string; schema: { properties?: Record<string, unknown> } }[];
  };
  return Object.keys(streams.find((one) => one.name === stream)?.schema.properties ?? {});
}
