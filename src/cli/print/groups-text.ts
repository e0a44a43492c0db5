import { z } from 'zod';
import { formatCount } from './print.ts';
import { table } from './table.ts';

const BAR = 30;

const dataShape = z.object({
  metric: z.string(),
  field: z.string().optional(),
  group_by: z.union([z.string(), z.array(z.string())]).optional(),
  /** Sums have a `total`, averages and extremes a `value`; amounts in several units have neither. */
  total: z.unknown().optional(),
  value: z.unknown().optional(),
  records: z.number(),
  groups: z.array(z.record(z.string(), z.unknown())).optional(),
  other: z
    .object({ groups: z.number().optional(), records: z.number(), value: z.number().optional() })
    .optional(),
});

/** Formats groups as a table, with a bar for each if `bars` is set. */
export async function formatGroups(answer: unknown, bars: boolean): Promise<string> {
  const { metric, field, group_by = [], records, groups, other, ...data } = dataShape.parse(answer);
  const measure = field === undefined ? metric : `${metric} of ${field}`;
  const value = data.total === undefined ? data.value : data.total;
  const shown = value === undefined ? 'several units' : formatNumber(value);
  const whole = `${measure}: ${shown}${metric === 'count' ? '' : ` over ${formatNumber(records)} records`}`;
  if (groups === undefined) return whole;
  const names = [group_by].flat();
  const rows = groups.map((group) => [
    ...names.map((name) => formatCell(group[name])),
    formatNumber(group.value),
  ]);
  if (other !== undefined && other.records > 0) {
    const label = other.groups === undefined ? '(earlier)' : `(${formatNumber(other.groups)} others)`;
    rows.push([label, ...names.slice(1).map(() => ''), formatNumber(other.value)]);
  }
  const width = Math.max(...rows.map((row) => (row.at(-1) as string).length), metric.length);
  const lengths = groups.map(({ value }) => Number(value));
  const max = Math.max(...lengths.map(Math.abs));
  const lines = rows.map((row, index) => [
    ...row.slice(0, -1),
    (row.at(-1) as string).padStart(width),
    ...(bars ? [drawBar(lengths[index] ?? 0, max)] : []),
  ]);
  const header = [
    ...names.map((name) => name.toUpperCase()),
    metric.toUpperCase().padStart(width),
    ...(bars ? [''] : []),
  ];
  return `${await table([header, ...lines])}\n${whole}`;
}

/** Draws negative values lighter. */
function drawBar(value: number, max: number): string {
  if (!Number.isFinite(value) || !(max > 0)) return '';
  const length = Math.round((Math.abs(value) / max) * BAR);
  return (value < 0 ? '░' : '█').repeat(length) || '▏';
}

function formatCell(value: unknown): string {
  return value === null || value === undefined ? '(none)' : String(value).replaceAll(/\s+/g, ' ');
}

function formatNumber(value: unknown): string {
  if (Number.isSafeInteger(value)) return formatCount(value as number);
  if (typeof value === 'number') return value.toLocaleString('en', { maximumFractionDigits: 6 });
  return value === null || value === undefined ? '' : String(value);
}
