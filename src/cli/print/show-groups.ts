import { z } from 'zod';
import { showCount } from './format.ts';
import { table } from './table.ts';

const BAR = 30;

const dataShape = z.object({
  metric: z.string(),
  field: z.string().optional(),
  group_by: z.union([z.string(), z.array(z.string())]).optional(),
  /** What adds up is a total, a mean or an extreme a value; several units come to neither. */
  total: z.unknown().optional(),
  value: z.unknown().optional(),
  records: z.number(),
  groups: z.array(z.record(z.string(), z.unknown())).optional(),
  other: z
    .object({ groups: z.number().optional(), records: z.number(), value: z.number().optional() })
    .optional(),
});

/** Groups as a table, or with a bar each where somebody looks at them. */
export async function showGroups(answer: unknown, bars: boolean): Promise<string> {
  const { metric, field, group_by = [], records, groups, other, ...data } = dataShape.parse(answer);
  const measure = field === undefined ? metric : `${metric} of ${field}`;
  const value = data.total === undefined ? data.value : data.total;
  const shown = value === undefined ? 'several units' : showNumber(value);
  const whole = `${measure}: ${shown}${metric === 'count' ? '' : ` over ${showNumber(records)} records`}`;
  if (groups === undefined) return whole;
  const names = [group_by].flat();
  const rows = groups.map((group) => [
    ...names.map((name) => showCell(group[name])),
    showNumber(group.value),
  ]);
  if (other !== undefined && other.records > 0) {
    const label = other.groups === undefined ? '(earlier)' : `(${showNumber(other.groups)} others)`;
    rows.push([label, ...names.slice(1).map(() => ''), showNumber(other.value)]);
  }
  const width = Math.max(...rows.map((row) => (row.at(-1) as string).length), metric.length);
  const lengths = groups.map(({ value }) => Number(value));
  const most = Math.max(...lengths.map(Math.abs));
  const lines = rows.map((row, index) => [
    ...row.slice(0, -1),
    (row.at(-1) as string).padStart(width),
    ...(bars ? [drawBar(lengths[index] ?? 0, most)] : []),
  ]);
  const header = [
    ...names.map((name) => name.toUpperCase()),
    metric.toUpperCase().padStart(width),
    ...(bars ? [''] : []),
  ];
  return `${await table([header, ...lines])}\n${whole}`;
}

/** What is below zero is drawn lighter. */
function drawBar(value: number, most: number): string {
  if (!Number.isFinite(value) || !(most > 0)) return '';
  const length = Math.round((Math.abs(value) / most) * BAR);
  return (value < 0 ? '░' : '█').repeat(length) || '▏';
}

function showCell(value: unknown): string {
  return value === null || value === undefined ? '(none)' : String(value).replaceAll(/\s+/g, ' ');
}

function showNumber(value: unknown): string {
  if (Number.isSafeInteger(value)) return showCount(value as number);
  if (typeof value === 'number') return value.toLocaleString('en', { maximumFractionDigits: 6 });
  return value === null || value === undefined ? '' : String(value);
}
