import type { GrantedStream } from '../../reader/granted-stream.ts';
import type { ReadContext } from '../../reads/granted-read.ts';
import { type Field, isTime } from '../../schema-index/field.ts';
import { fromValue } from '../../store/field-value.ts';
import { type FieldValues, MAX_VALUE_RECORDS } from '../../store/record-reads.ts';
import { escapeText, escapeValue } from '../../text/escape-text.ts';
import { findPointer, type Labels, readLabels } from '../labels.ts';

/** What a field holds. `values` alone are all there are; with `values_total` they are the most frequent ones. */
export interface Sample {
  readonly values?: readonly unknown[];
  readonly values_total?: number;
  /** Where there are more records, only so many were looked at. */
  readonly values_of_newest?: number;
  /** Of lists, which are not counted: some that occur. */
  readonly some_values?: readonly unknown[];
  readonly example?: unknown;
  /** Of a field that points to other records, in place of values: each with what it is called. */
  readonly labels?: Record<string, string>;
}

/** With no more than this many different values, all are shown. */
const ALL_VALUES = 20;
const MAX_FREQUENT_VALUES = 5;
const LONGEST = 60;
/** Records looked into for values of lists. */
const LISTS_OF = 50;

export interface Samples {
  readonly of: ReadonlyMap<string, Sample>;
  /** Fields that no record has a value in; none where not all records were looked at. */
  readonly unused: ReadonlySet<string>;
}

/** Samples of every field that one would teach something, over streams that share their fields. */
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
    const found = await context.reader.values(streams, field.name, ALL_VALUES);
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
  const short = shown.filter((value) => String(value).length <= LONGEST);
  const isWhole = records <= MAX_VALUE_RECORDS;
  if (streams.some((stream) => findPointer(stream, field.name) !== undefined)) {
    // Of many keys of other records, those of people are worth knowing; the rest teach nothing.
    if (total > ALL_VALUES && field.person !== true) return undefined;
    const keys = total > ALL_VALUES ? values.slice(0, MAX_FREQUENT_VALUES) : values;
    const labels = await readLabels(streams, field.name, keys, context);
    if (keys.length > 0 && keys.every((key) => labels.has(String(key))))
      return nameKeys(keys, labels, total, isWhole);
  }
  if (total <= ALL_VALUES && total > 0 && isWhole && short.length === total) return { values: short };
  // Some of many numbers say nothing of the others.
  if (field.kind !== 'string') return undefined;
  const looked = Math.min(records, MAX_VALUE_RECORDS);
  if (total > 1 && total <= looked / 2 && short.length > 0)
    return {
      values: short.slice(0, MAX_FREQUENT_VALUES),
      values_total: total,
      ...(isWhole ? {} : { values_of_newest: MAX_VALUE_RECORDS }),
    };
  // An address or the record's own key teaches nothing.
  const teaches = !streams[0]?.primaryKey.includes(field.name) && !/^https?:/.test(String(short[0]));
  return teaches && short.length > 0 ? { example: short[0] } : undefined;
}

/** Keys of other records, each with what it is called. */
function nameKeys(keys: FieldValues['values'], labels: Labels, total: number, isWhole: boolean): Sample {
  return {
    labels: Object.fromEntries(
      keys.map((key) => [escapeText(String(key)), labels.get(String(key)) as string]),
    ),
    ...(keys.length < total || !isWhole ? { values_total: total } : {}),
    ...(isWhole ? {} : { values_of_newest: MAX_VALUE_RECORDS }),
  };
}

/** Lists lie in the records themselves, so a few of those are looked into. */
async function sampleLists(stream: GrantedStream, context: ReadContext): Promise<Map<string, Sample>> {
  const lists = [...stream.fields.values()].filter((field) => field.kind === 'list');
  if (lists.length === 0) return new Map();
  const sort = {
    field: stream.timeField,
    direction: stream.timeField === undefined ? 'asc' : 'desc',
  } as const;
  const { records } = await context.reader.page(stream, { conditions: [], sort, limit: LISTS_OF });
  return new Map(
    lists.flatMap((field) => {
      const values = records.flatMap(({ record }) => (record[field.name] as string[] | undefined) ?? []);
      const short = [...new Set(values)].filter((value) => value !== '' && value.length <= LONGEST);
      const some_values = short.slice(0, MAX_FREQUENT_VALUES).map((value) => escapeValue(value));
      return some_values.length === 0 ? [] : [[field.name, { some_values }] as const];
    }),
  );
}
