import type { Data } from '../../../support/story-step.ts';
import { Refusal, readFilter, type Test } from './oracle-filter.ts';
import { relationsOf, type View } from './oracle-scope.ts';
import type { Clocks } from './oracle-values.ts';

/** A filter of a granted stream: through relations to one record too, and with names in place of keys. */
export function readFilterOf(filter: unknown, view: View, all: readonly View[], clocks: Clocks): Test {
  const entries = Object.entries((filter ?? {}) as object);
  const split = entries.map(([name, test]) => [name, test, findWay(name, view, all)] as const);
  if (split.every(([, , way]) => way === undefined))
    return readFilter(filter === undefined ? undefined : nameKeys(entries, view, all), view.kinds, clocks);
  const refused = new Set<string>();
  const read = (make: () => Test): Test => {
    try {
      return make();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      for (const code of error.codes) refused.add(code);
      return () => false;
    }
  };
  const tests = split.map(([name, test, way]) =>
    read(() => {
      if (way === undefined) return readFilter(nameKeys([[name, test]], view, all), view.kinds, clocks);
      const { target, key, field } = way;
      const inner = readFilter(Object.fromEntries([[field, test]]), target.kinds, clocks);
      return (data: Data) => target.rows.some((row) => row.key === data[key] && inner(row.data));
    }),
  );
  if (refused.size > 0) throw new Refusal(...refused);
  return (data) => tests.every((test) => test(data));
}

/** Whether a filter could be about a stream at all. */
export function canFilter(name: string, view: View, all: readonly View[], can: (kind: string) => boolean) {
  const way = findWay(name, view, all);
  const kinds = way === undefined ? view.kinds : way.target.kinds;
  const field = way === undefined ? name : way.field;
  return Object.hasOwn(kinds, field) && can(kinds[field] as string);
}

function findWay(name: string, view: View, all: readonly View[]) {
  if (Object.hasOwn(view.kinds, name)) return undefined;
  for (const { relation, target } of relationsOf(view, all))
    if (relation.cardinality === 'has_one' && name.startsWith(`${relation.name}.`))
      return { target, key: relation.foreign_key, field: name.slice(relation.name.length + 1) };
  return undefined;
}

const TITLES = ['name', 'label'];

/** The filter with the keys of those who are called so beside each value that is no key. */
function nameKeys(
  entries: readonly (readonly [string, unknown])[],
  view: View,
  all: readonly View[],
): object {
  const named = entries.map(([name, test]): [string, unknown] => {
    const pointer = relationsOf(view, all).find(
      ({ relation }) => relation.cardinality === 'has_one' && relation.foreign_key === name,
    );
    const title = TITLES.find((one) => Object.hasOwn(pointer?.target.kinds ?? {}, one));
    if (pointer === undefined || title === undefined) return [name, test];
    const add = (value: unknown): unknown =>
      typeof value === 'string' ? [value, ...keysCalled(value, title, pointer.target)] : value;
    if (typeof test === 'string' || Array.isArray(test)) return [name, [test].flat().flatMap(add)];
    if (typeof test !== 'object' || test === null || !('ne' in test) || test.ne === null) return [name, test];
    return [name, { ...test, ne: [test.ne].flat().flatMap(add) }];
  });
  return Object.fromEntries(named);
}

function keysCalled(value: string, title: string, target: View): string[] {
  if (value.trim() === '' || target.rows.some((row) => row.key === value)) return [];
  const called = (same: (name: string) => boolean) =>
    target.rows
      .filter(({ data }) => typeof data[title] === 'string' && same(data[title] as string))
      .map(({ key }) => key);
  const exact = called((name) => name === value);
  return exact.length > 0
    ? exact
    : called((name) => name.trim().toLowerCase() === value.trim().toLowerCase());
}
