import type { GrantedReader } from '../../reader/granted-reader.ts';
import type { GrantedStream } from '../../reader/granted-stream.ts';
import { toUtc } from '../../time/instant.ts';
import { shiftMonth } from '../../time/month.ts';

/**
 * Records per month of the owner's calendar, so that a month counts what its list shows. Whole days are counted
 * in UTC; the hours between its first of a month and the owner's change sides.
 */
export async function countMonths(
  stream: GrantedStream,
  reader: GrantedReader,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map((await reader.months(stream)).map(({ month, n }) => [month, n]));
  // A day without a clock is the same in every zone.
  const edges = stream.timeField?.kind === 'date' ? [] : listEdges([...counts.keys()], reader.timeZone);
  const found =
    edges.length === 0
      ? []
      : await reader.countPeriods(
          stream,
          edges.map(({ from, to }) => [from, to] as const),
        );
  for (const [i, { month, isEarly }] of edges.entries()) {
    const [from, to] = isEarly ? [shiftMonth(month, -1), month] : [month, shiftMonth(month, -1)];
    counts.set(from, (counts.get(from) ?? 0) - (found[i] ?? 0));
    counts.set(to, (counts.get(to) ?? 0) + (found[i] ?? 0));
  }
  return new Map([...counts].filter(([, n]) => n > 0));
}

/** What lies between the beginnings of a month, and whether the owner's is the early one. */
function listEdges(months: readonly string[], timeZone: string) {
  const begun = new Set(months.flatMap((month) => [month, shiftMonth(month, 1)]));
  return [...begun].flatMap((month) => {
    const start = Date.parse(`${month}-01T00:00:00Z`);
    const own = toUtc(start, timeZone);
    const isEarly = own < start;
    return own === start ? [] : [{ month, isEarly, from: Math.min(start, own), to: Math.max(start, own) }];
  });
}
