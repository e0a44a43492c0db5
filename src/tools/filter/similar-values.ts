import type { GrantedStream } from '../../reader/granted-stream.ts';
import type { Field } from '../../schema-index/field.ts';
import type { Condition } from '../../schema-index/filter.ts';
import { cutText } from '../../text/cut-text.ts';
import { escapeText } from '../../text/escape-text.ts';
import type { ToolContext } from '../granted-read.ts';
import { findPointer } from '../labels.ts';

const MOST_FIELDS = 3;
const MOST_SHOWN = 3;
/** With no more than this many different values, all of them are near. */
const ALL_VALUES = 20;
const LONGEST = 60;
/** Near values begin with the same letters. */
const BEGINNING = 3;

/**
 * Of an answer that is empty: values that visible records do have in place of one that a filter asked for. Without
 * them, a merchant who is stored under a longer name looks like one who was never paid.
 */
export async function findSimilarValues(
  streams: readonly GrantedStream[],
  conditions: ReadonlyMap<GrantedStream, readonly Condition[]>,
  context: ToolContext,
): Promise<{ similar_values?: Record<string, string[]> }> {
  const [first] = streams as [GrantedStream];
  const asked = (conditions.get(first) ?? []).flatMap((one) => {
    const [text] = one.op === 'any' && one.through === undefined ? one.values : [];
    const isNamed = one.field.kind === 'string' && one.field.group && typeof text === 'string' && text !== '';
    return isNamed && one.names === undefined ? [{ field: one.field, text }] : [];
  });
  const similar: Record<string, string[]> = {};
  for (const { field, text } of asked.slice(0, MOST_FIELDS)) {
    const held = await findHeld(streams, field, text, 'contains', context);
    // Where the value itself occurs, it is another condition that nothing meets.
    if (held.includes(text)) continue;
    // What begins like a record's own key is another record.
    const isKey = first.primaryKey.includes(field.name) && findPointer(first, field.name) === undefined;
    const near = held.length > 0 || isKey ? held : await findNear(streams, field, text, context);
    if (near.length > 0) similar[field.name] = near.map((value) => escapeText(cutText(value, LONGEST)));
  }
  return Object.keys(similar).length === 0 ? {} : { similar_values: similar };
}

/** Of a field that points to other records their names, by which it can be filtered too. */
async function findNear(
  streams: readonly GrantedStream[],
  field: Field,
  text: string,
  context: ToolContext,
): Promise<string[]> {
  const named = findNamed(streams, field, context);
  if (named !== undefined) {
    const held = await findHeld(named.streams, named.title, text, 'contains', context);
    if (held.length > 0) return held;
  }
  const where = named ?? { streams, title: field };
  const beginning = [...text].slice(0, BEGINNING).join('');
  const alike = await findHeld(where.streams, where.title, beginning, 'starts_with', context);
  if (alike.length > 0) return alike;
  const { values, total } = await context.reader.values(where.streams, where.title.name, ALL_VALUES);
  return total > ALL_VALUES ? [] : values.map(String);
}

function findNamed(streams: readonly GrantedStream[], field: Field, { reader }: ToolContext) {
  const targets = streams.flatMap((stream) => {
    const relation = findPointer(stream, field.name);
    return relation === undefined ? [] : [reader.target(stream, relation)];
  });
  const [first] = targets;
  const title = first?.titleField === undefined ? undefined : first.fields.get(first.titleField);
  const isShared = targets.every((target) => target.fields.get(title?.name ?? '')?.group === true);
  return title?.kind === 'string' && isShared ? { streams: targets, title } : undefined;
}

/** The most frequent values of a field that hold a text. */
async function findHeld(
  streams: readonly GrantedStream[],
  field: Field,
  text: string,
  op: 'contains' | 'starts_with',
  context: ToolContext,
): Promise<string[]> {
  const holds = (stream: GrantedStream): Condition => ({
    field: stream.fields.get(field.name) ?? field,
    op,
    text,
  });
  const { groups } = await context.reader.measures.groups(
    {
      streams,
      metric: 'count',
      adding: 'near',
      field: undefined,
      groupBy: [field.name],
      conditions: new Map(streams.map((stream) => [stream, [holds(stream)]])),
    },
    { by: 'value', direction: 'desc' },
    MOST_SHOWN,
  );
  return groups.map(({ by: [value] }) => String(value));
}
