import type { GrantedStream } from '../../reader/granted-stream.ts';
import type { ReadContext } from '../../reads/granted-read.ts';
import { type Field, isTime } from '../../schema-index/field.ts';
import { fromValue } from '../../store/field-value.ts';
import { type FieldValues, MAX_VALUE_RECORDS } from '../../store/record-reads.ts';
import { escapeText, escapeValue } from '../../text/escape-text.ts';
import { findPointer, readLabels } from '../relations.ts';

/** Values of a field. If `values_total` is absent, `values` has all of them; otherwise the most frequent ones. */
export interface Sample {
  readonly values?: readonly unknown[];
  readonly values_total?: number | undefined;
  /** The number of newest records that were read, if there are more. */
  readonly values_of_newest?: number | undefined;
  /** Some items of lists, which are not counted. */
  readonly some_values?: readonly unknown[];
  readonly example?: unknown;
  /** Replaces `values` for a field that points to other records: their keys and names. */
  readonly labels?: Record<string, string>;
}

/** If a field has at most this many values, all are shown. */
const MAX_ALL_VALUES = 20;
const MAX_FREQUENT_VALUES = 5;
const MAX_VALUE_CHARACTERS = 60;
/** The number of records that are read for items of lists. */
const MAX_LIST_RECORDS = 50;

export interface Samples {
  readonly of: ReadonlyMap<string, Sample>;
  /** Fields that are empty in every record. No field is listed if not all records were read. */
  readonly unused: ReadonlySet<string>;
}

/** Reads sample values of the fields for which they are useful. The streams have the same fields. */
export async function readSamples(
  streams: readonly GrantedStream[],
  records: number,
  context: ReadContext,
): Promise<Samples> {
  const samples = new Map<string, Sample>();
  const unused = new Set<string>();
  const [first] = streams as [GrantedStream];
  for (const field of first.fields.values()) {
    if (records === 0 || !field.filter || field.kind === 'list') continue;
    if (isTime(field.kind) && field.name === first.timeField?.name) continue;
    const found = await context.reader.lookups.values(streams, field.name, MAX_ALL_VALUES);
    if (found.total === 0 && records <= MAX_VALUE_RECORDS) unused.add(field.name);
    const sample = await sampleField(streams, field, records, found, context);
    if (sample !== undefined) samples.set(field.name, sample);
  }
  for (const [name, sample] of await sampleLists(first, context)) samples.set(name, sample);
  return { of: samples, unused };
}

async function sampleField(
  streams: readonly GrantedStream[],
  field: Field,
  records: number,
  { values, total }: FieldValues,
  context: ReadContext,
): Promise<Sample | undefined> {
  if (isTime(field.kind) || field.kind === 'boolean') return undefined;
  const { reader } = context;
  const shown = values.map((value) => escapeValue(fromValue(field.kind, value, reader.timeZone)));
  const short = shown.filter((value) => String(value).length <= MAX_VALUE_CHARACTERS);
  const hasReadAll = records <= MAX_VALUE_RECORDS;
  if (streams.some((stream) => findPointer(stream, field.name) !== undefined)) {
    // A selection of many keys is useful only if they identify people.
    if (total > MAX_ALL_VALUES && field.person !== true) return undefined;
    const keys = total > MAX_ALL_VALUES ? values.slice(0, MAX_FREQUENT_VALUES) : values;
    const labels = await readLabels(streams, field.name, keys, context);
    if (keys.length > 0 && keys.every((key) => labels.has(String(key))))
      return {
        labels: Object.fromEntries(
          keys.map((key) => [escapeText(String(key)), labels.get(String(key)) as string]),
        ),
        values_total: keys.length < total || !hasReadAll ? total : undefined,
        values_of_newest: hasReadAll ? undefined : MAX_VALUE_RECORDS,
      };
  }
  if (total <= MAX_ALL_VALUES && total > 0 && hasReadAll && short.length === total) return { values: short };
  // A selection of many numbers says nothing about the others.
  if (field.kind !== 'string') return undefined;
  if (total > 1 && total <= Math.min(records, MAX_VALUE_RECORDS) / 2 && short.length > 0)
    return {
      values: short.slice(0, MAX_FREQUENT_VALUES),
      values_total: total,
      values_of_newest: hasReadAll ? undefined : MAX_VALUE_RECORDS,
    };
  // A URL or the record's own key is not a useful example.
  const isUseful = !streams[0]?.primaryKey.includes(field.name) && !/^https?:/.test(String(short[0]));
  return isUseful && short.length > 0 ? { example: short[0] } : undefined;
}

/** Reads items of lists from a few records: lists have no index. */
async function sampleLists(stream: GrantedStream, context: ReadContext): Promise<Map<string, Sample>> {
  const lists = [...stream.fields.values()].filter((field) => field.kind === 'list');
  if (lists.length === 0) return new Map();
  const sort = {
    field: stream.timeField,
    direction: stream.timeField === undefined ? 'asc' : 'desc',
  } as const;
  const { records } = await context.reader.page(stream, { conditions: [], sort, limit: MAX_LIST_RECORDS });
  return new Map(
    lists.flatMap((field) => {
      const values = records.flatMap(({ record }) => (record[field.name] as string[] | undefined) ?? []);
      const short = [...new Set(values)].filter(
        (value) => value !== '' && value.length <= MAX_VALUE_CHARACTERS,
      );
      const some_values = short.slice(0, MAX_FREQUENT_VALUES).map((value) => escapeValue(value));
      return some_values.length === 0 ? [] : [[field.name, { some_values }] as const];
    }),
  );
}
