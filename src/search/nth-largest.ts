/**
 * The n-th largest of numbers, of which there are at least so many. The largest so far lie in a heap with the least of
 * them on top: most numbers are only compared with it, where sorting would move all of them.
 */
export function nthLargest(numbers: readonly number[], n: number): number {
  const heap = Float64Array.from(numbers.slice(0, n)).sort();
  for (let at = n; at < numbers.length; at++) {
    const number = numbers[at] as number;
    if (number > (heap[0] as number)) replaceTop(heap, number);
  }
  return heap[0] as number;
}

function replaceTop(heap: Float64Array, number: number): void {
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child + 1 < heap.length && (heap[child + 1] as number) < (heap[child] as number)) child += 1;
    if (child >= heap.length || (heap[child] as number) >= number) break;
    heap[at] = heap[child] as number;
    at = child;
  }
  heap[at] = number;
}
