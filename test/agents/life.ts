import type { World } from '../support/world.ts';
import { createGeneratedWorld } from '../support/worlds/generated-world.ts';

export type Row = Record<string, unknown>;

/** The life that is asked about, read straight from the store, so that what the tools say can be checked against it. */
export interface Life {
  readonly world: World & { token: string };
  rows(connection: string, stream: string): Row[];
}

/** The zone of the owner, by whose days and months the questions are meant. */
const ZONE = 'Europe/Berlin';

export async function openLife(): Promise<Life> {
  const world = await createGeneratedWorld(6_000);
  const statement = world.store.write.raw.prepare(
    `select r.data as data from records r join streams s using (stream_id)
     where s.connection_id = ? and s.stream = ?`,
  );
  return {
    world,
    rows: (connection, stream) =>
      (statement.all(connection, stream) as { data: string }[]).map(({ data }) => JSON.parse(data)),
  };
}

const format = new Intl.DateTimeFormat('sv-SE', { timeZone: ZONE, dateStyle: 'short', timeStyle: 'short' });

/** `2026-05-01 18:30`, by the owner's clock; a day stays a day. */
export function localTime(time: unknown): string {
  const text = String(time);
  return /^\d{4}-\d\d-\d\d$/.test(text) ? text : format.format(new Date(text));
}

export const localMonth = (time: unknown) => localTime(time).slice(0, 7);
export const localDay = (time: unknown) => localTime(time).slice(0, 10);

export function sum(rows: readonly Row[], field: string): number {
  return round(rows.reduce((total, row) => total + Number(row[field] ?? 0), 0));
}

export const round = (value: number) => Math.round(value * 100) / 100;

/** How many rows, or what sum, each value of something has; the largest first, then by name. */
export function rank(
  rows: readonly Row[],
  name: (row: Row) => unknown,
  size: (row: Row) => number = () => 1,
): [string, number][] {
  const sizes = new Map<string, number>();
  for (const row of rows) {
    const key = String(name(row));
    sizes.set(key, (sizes.get(key) ?? 0) + size(row));
  }
  return [...sizes]
    .map(([key, total]): [string, number] => [key, round(total)])
    .sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]) || (a[0] < b[0] ? -1 : 1));
}

export function newest(rows: readonly Row[], field: string): Row {
  return [...rows].sort((a, b) => Date.parse(String(b[field])) - Date.parse(String(a[field])))[0] as Row;
}
