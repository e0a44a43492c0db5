import type { OpenProblem } from './open/opened.ts';
import type { FoundExport } from './recognise-inputs.ts';

/** An export in which nothing can be read, so that it is not what it was taken for. Nothing was stored. */
export interface Refusal {
  readonly state: 'refused';
  readonly reason: string;
}

const isRefusal = (result: unknown): result is Refusal =>
  typeof result === 'object' && result !== null && 'state' in result && result.state === 'refused';

/**
 * Imports exports in their order. Where one is refused, its files are taken for what they could be instead. `refuse`
 * is told of those that are nothing else either.
 */
export async function importEach<T>(
  found: readonly FoundExport[],
  importOne: (one: FoundExport, index: number) => Promise<T | Refusal>,
  refuse: (problem: OpenProblem) => void,
): Promise<T[]> {
  const results: T[] = [];
  /** Whether anything came of it. */
  const take = async (one: FoundExport): Promise<string | undefined> => {
    const result = await importOne(one, results.length);
    if (!isRefusal(result)) {
      results.push(result);
      return undefined;
    }
    const before = results.length;
    for (const other of await one.instead()) await take(other);
    return results.length > before ? undefined : result.reason;
  };
  for (const one of found) {
    const reason = await take(one);
    if (reason !== undefined) refuse({ path: one.recognised.files[0]?.path ?? '', reason });
  }
  return results;
}
