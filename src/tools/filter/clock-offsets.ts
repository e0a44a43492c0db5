import type { GrantedReader } from '../../reader/granted-reader.ts';
import type { GrantedStream } from '../../reader/granted-stream.ts';
import type { Condition } from '../../schema-index/filter.ts';
import { zoneOffsets } from '../../time/zone-offsets.ts';

const DAY_MS = 86_400_000;
/** Times of earlier versions of a record, which lie a little before or after those that there are now, are read right too. */
const MARGIN_MS = 366 * DAY_MS;

/** Adds to conditions on weekdays and hours how far the clock is ahead, over the times that visible records have. */
export async function addOffsets(
  conditions: readonly Condition[],
  stream: GrantedStream,
  reader: GrantedReader,
): Promise<Condition[]> {
  const known: Condition[] = [];
  for (const one of conditions) {
    if (one.op !== 'weekday' && one.op !== 'hour') {
      known.push(one);
      continue;
    }
    const { field, zone } = one;
    const read = async () => {
      const { first, last } = await readSpan(field.name, stream, reader);
      return zoneOffsets(first - MARGIN_MS, last + MARGIN_MS, zone);
    };
    known.push({ ...one, offsets: await reader.keep('offsets', [stream], [field.name, zone], read) });
  }
  return known;
}

async function readSpan(field: string, stream: GrantedStream, reader: GrantedReader) {
  const measure = {
    streams: [stream],
    metric: 'min',
    adding: 'exact',
    field,
    groupBy: [],
    conditions: new Map(),
  } as const;
  const first = (await reader.measures.extreme(measure, 'min')) ?? 0;
  return { first, last: (await reader.measures.extreme(measure, 'max')) ?? first };
}
