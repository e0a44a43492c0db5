import { DEMO_END } from '../../bench/demo-end.ts';
import { type DemoRecord, readDemo } from '../../src/demo/read-demo.ts';

// biome-ignore lint/suspicious/noExplicitAny: an agent looks into answers of every shape
export type Body = any;
type Call = readonly [tool: string, args: Record<string, unknown>];

/** A question of the connect page, what an agent calls for it, and the answer it takes from what it sees. */
export interface Suggested {
  readonly ask: string;
  readonly calls: readonly Call[];
  readonly answer: (...seen: Body[]) => unknown;
  readonly expected: unknown;
  /** The same, taken from the data set itself. */
  readonly truth: (demo: Demo) => unknown;
}

export type Demo = (connection: string, stream: string) => Record<string, unknown>[];

const records: readonly DemoRecord[] = readDemo(DEMO_END, 'Europe/Berlin');
export const demo: Demo = (connection, stream) =>
  records.filter((one) => one.connection_id === connection && one.stream === stream).map(({ data }) => data);

const format = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/Berlin',
  dateStyle: 'short',
  timeStyle: 'short',
});
export const local = (value: unknown) =>
  String(value).length === 10 ? String(value) : format.format(new Date(String(value)));
export const within = (from: string, to: string) => (value: unknown) =>
  local(value) >= from && local(value) < to;
export const inOctober = within('2026-10-01', '2026-11-01');
export const october = { gte: '2026-10-01', lt: '2026-11-01' };
export const groups = (body: Body, name: string) =>
  body.data.groups.map((one: Body) => [one[name], one.value]);
export const round = (value: number) => Math.round(value * 100) / 100;

/** What each name has, the largest first. */
export function rank(
  rows: readonly Record<string, unknown>[],
  name: (row: Record<string, unknown>) => unknown,
  size = (_: Record<string, unknown>) => 1,
) {
  const sums = new Map<unknown, number>();
  for (const row of rows) sums.set(name(row), round((sums.get(name(row)) ?? 0) + size(row)));
  return [...sums].sort((a, b) => b[1] - a[1] || String(a[0]).localeCompare(String(b[0])));
}
