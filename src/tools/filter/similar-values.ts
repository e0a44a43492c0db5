import type { Condition } from '../../filter/filter.ts';
import type { GrantedStream } from '../../reader/granted-stream.ts';
import type { ReadContext } from '../../reads/granted-read.ts';
import { cutText } from '../../text/cut-text.ts';
import { escapeText } from '../../text/escape-text.ts';

const MAX_FIELDS = 3;
const MAX_SHOWN = 3;
const LONGEST = 60;

/**
 * Of an answer that is empty: values that visible records do have and that hold the text a filter asked for. Without
 * them, a merchant who is stored under a longer name looks like one who was never paid.
 */
export async function findSimilarValues(
  streams: readonly GrantedStream[],
  conditions: ReadonlyMap<GrantedStream, readonly Condition[]>,
  context: ReadContext,
): Promise<{ similar_values?: Record<string, string[]> }> {
  const [first] = streams as [GrantedStream];
  const asked = (conditions.get(first) ?? []).flatMap((one) => {
    const [text] = one.op === 'any' ? one.values : [];
    const isNamed = one.field.kind === 'string' && one.field.group && typeof text === 'string' && text !== '';
    return isNamed ? [{ field: one.field, text }] : [];
  });
  const similar: Record<string, string[]> = {};
  for (const { field, text } of asked.slice(0, MAX_FIELDS)) {
    const values = await context.reader.similar(streams, field.name, text, MAX_SHOWN);
    // Where the value itself occurs, it is another condition that nothing meets.
    if (values.length > 0 && !values.includes(text))
      similar[field.name] = values.map((value) => escapeText(cutText(value, LONGEST)));
  }
  return Object.keys(similar).length === 0 ? {} : { similar_values: similar };
}
