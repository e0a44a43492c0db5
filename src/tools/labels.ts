import type { GrantedRecord } from '../reader/granted-record.ts';
import type { GrantedStream } from '../reader/granted-stream.ts';
import type { ReadContext } from '../reads/granted-read.ts';
import type { Relationship } from '../schema-index/declaration.ts';
import { cutText } from '../text/cut-text.ts';
import { escapeText } from '../text/escape-text.ts';
import { Budget } from './envelope.ts';

/** What the values of a field are called: `C0H1024` is `general`. */
export type Labels = ReadonlyMap<string, string>;

const LONGEST = 60;
const MAX_KEYS = 400;

/** The relation by which a field points to one record of another granted stream. */
export function findPointer(stream: GrantedStream, field: string): Relationship | undefined {
  return stream.relations.find((one) => one.cardinality === 'has_one' && one.foreign_key === field);
}

/**
 * The names of the records that a field points to, in any of the streams read together. A key that stands for
 * different things in different connections has none.
 */
export async function readLabels(
  streams: readonly GrantedStream[],
  field: string,
  keys: readonly unknown[],
  context: ReadContext,
): Promise<Labels> {
  const labels = new Map<string, string>();
  const wanted = [...new Set(keys.filter((key) => typeof key === 'string'))].slice(0, MAX_KEYS);
  const clashes = new Set<string>();
  for (const stream of wanted.length === 0 ? [] : streams) {
    const relation = findPointer(stream, field);
    if (relation === undefined) continue;
    for (const { key, name } of await context.reader.names(context.reader.target(stream, relation), wanted)) {
      // A name that the key spells out already teaches nothing.
      if (name.trim() === '' || key.includes(name)) continue;
      const label = cutText(escapeText(name.replace(/\s+/g, ' ').trim()), LONGEST);
      if ((labels.get(key) ?? label) !== label) clashes.add(key);
      labels.set(key, label);
    }
  }
  for (const key of clashes) labels.delete(key);
  return labels;
}

/** Labels for the keys in a list of records, said once for all of them: by field, then by key. */
export type RowLabels = Record<string, Record<string, string>>;

/** Room that labels of a list may take before its first record. */
const LABEL_TOKENS = 400;
const LABEL_BYTES = 1_600;

/** What the keys in records stand for, for fields that are shown and whose records are not shown beside them anyway. */
export async function readRowLabels(
  records: readonly GrantedRecord[],
  isShown: (field: string) => boolean,
  expanded: readonly Relationship[],
  context: ReadContext,
  budget: Budget,
): Promise<RowLabels> {
  const streams = [...new Set(records.map((one) => one.stream))];
  const fields = new Set(
    streams
      .flatMap((stream) => stream.relations)
      .filter((one) => one.cardinality === 'has_one' && isShown(one.foreign_key))
      .filter((one) => !expanded.some((other) => other.name === one.name))
      .map((one) => one.foreign_key),
  );
  const room = new Budget(
    Math.min(LABEL_TOKENS, budget.left.tokens),
    Math.min(LABEL_BYTES, budget.left.bytes),
  );
  const rows: RowLabels = {};
  for (const field of fields) {
    const keys = records.map((one) => one.record[field]);
    for (const [key, label] of await readLabels(streams, field, keys, context)) {
      if (!room.take({ [field]: { [key]: label } })) break;
      rows[field] = { ...rows[field], [key]: label };
    }
  }
  budget.take(rows);
  return rows;
}

/** Of the labels those of the records that were shown. */
export function pickLabels(labels: RowLabels, shown: readonly GrantedRecord[]): RowLabels | undefined {
  const picked = Object.entries(labels).flatMap(([field, byKey]) => {
    const keys = new Set(shown.map((one) => one.record[field]));
    const own = Object.entries(byKey).filter(([key]) => keys.has(key));
    return own.length === 0 ? [] : [[field, Object.fromEntries(own)] as const];
  });
  return picked.length === 0 ? undefined : Object.fromEntries(picked);
}
