/** The known name that looks most like what was sent, if any does. Known names only: nothing else is shown. */
export function findNearest(sent: string, known: Iterable<string>): string | undefined {
  const wanted = sent.slice(0, 64).toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const name of known) {
    const distance = editDistance(wanted, name.toLowerCase(), bestDistance);
    if (distance < bestDistance) [best, bestDistance] = [name, distance];
  }
  return best;
}

/** Edits (insert, drop, replace, swap of neighbours) between two words; anything from `limit` up is `limit`. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(
        (last[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (last[j - 1] as number) + (same ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (before[j - 2] as number) + 1);
      row.push(cost);
      least = Math.min(least, cost);
    }
    if (least >= limit) return limit;
    before = last;
    last = row;
  }
  return Math.min(limit, last[b.length] as number);
}

const MOST_NAMES = 40;
const MOST_BYTES = 1_500;

/** As many names as a refusal should list: it is there to correct a call, not to describe everything. */
export function fewNames(names: Iterable<string>): string[] {
  const few: string[] = [];
  let bytes = 0;
  for (const name of names) {
    bytes += Buffer.byteLength(name) + 3;
    if (few.length >= MOST_NAMES || bytes > MOST_BYTES) break;
    few.push(name);
  }
  return few;
}
