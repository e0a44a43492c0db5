import type { Row, View } from './oracle-scope.ts';
import { compareText } from './oracle-values.ts';

/** What the keys of members in a field are called: by the visible name, where the key does not spell it out already. */
export function labelsOf(views: readonly View[], connection: string): ReadonlyMap<string, string> {
  const members = findView(views, connection, 'members');
  const named = (members?.rows ?? []).flatMap(({ key, data }): [string, string][] => {
    const name = Object.hasOwn(members?.kinds ?? {}, 'name') ? data.name : undefined;
    if (typeof name !== 'string' || name.trim() === '' || key.includes(name)) return [];
    return [[key, name.replace(/\s+/g, ' ').trim()]];
  });
  return new Map(named);
}

/** The units of the amounts in view, `null` for an amount without one, where they are several; else nothing. */
export function unitsOf(rows: readonly Row[]): (string | null)[] | undefined {
  const units = rows
    .filter(({ data }) => typeof data.amount === 'number')
    .map(({ data }) => (typeof data.currency === 'string' ? data.currency : null));
  const found = [...new Set(units)].sort((a, b) => compareText(a ?? '', b ?? ''));
  return found.length > 1 ? found : undefined;
}

/** What the amounts of each unit add up to; a unit of records without an amount has nothing to add. */
export function sumByUnit(rows: readonly Row[]): ReadonlyMap<string | null, number> {
  const sums = new Map<string | null, number>();
  for (const { data } of rows) {
    const unit = typeof data.currency === 'string' ? data.currency : null;
    sums.set(unit, (sums.get(unit) ?? 0) + (typeof data.amount === 'number' ? data.amount : 0));
  }
  return sums;
}

/** Of what an account calls its owner, the names that stand in a field of a record in view. */
export function ownerOf(rows: readonly Row[], field: string, self: readonly string[]): string[] {
  const names = new Set(['me', ...self.flatMap((name) => [name, name.toLowerCase()])]);
  const held = rows.flatMap(({ data }) => [data[field]].flat());
  return [...new Set(held.filter((one): one is string => typeof one === 'string' && names.has(one)))];
}

export function findView(views: readonly View[], connection: string, stream: string): View | undefined {
  return views.find(({ place }) => place.connection === connection && place.spec.name === stream);
}
