import type { Bar, Row, Section, Table } from './chart.ts';
import { describeBounds, describeRecords, nameMetric } from './describe.ts';
import { formatLabel, formatValue } from './format-value.ts';
import { type Data, type Fields, isFields } from './result.ts';
import { createScale, type Scale } from './scale.ts';
import { formatBucket, isTimeAxis } from './time-steps.ts';

/** How the groups are split and compared. */
export interface Layout {
  /** The fields that label a row. */
  readonly labels: readonly string[];
  /** The field that `label` of a group names. */
  readonly named: string | undefined;
  /** The field whose values become sections, because their numbers cannot be compared. */
  readonly unit: string | undefined;
  /** Whether bars show the values. */
  readonly hasBars: boolean;
  readonly locale: string | undefined;
}

/** Returns the table of the groups, with bars where values can be compared. */
export function makeTable(data: Data, layout: Layout): Table {
  const isCount = data.groups.every((group) => group.records === undefined);
  const sections = splitGroups(data, layout).map(({ groups, range, ...section }) => ({
    ...section,
    rows: [...makeRows(groups, data, layout), ...makeOther(range ?? data, layout, isCount)],
  }));
  return {
    labelHeads: layout.labels
      .map((name, index) => (index === 0 ? (data.interval ?? name) : name))
      .map(nameHead),
    numberHeads: isCount ? [nameMetric(data)] : [nameMetric(data), 'Records'],
    sections: shareScale(sections, layout),
  };
}

function nameHead(name: string): string {
  const text = name === 'range' ? 'period' : name.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

interface Split {
  readonly name?: string;
  readonly detail?: string;
  readonly groups: readonly Fields[];
  readonly range?: Fields;
}

/** Splits groups by unit, or by the range that they belong to. */
function splitGroups({ groups, ranges }: Data, { unit, locale }: Layout): Split[] {
  if (ranges.length > 0) {
    return ranges.map((range) => ({
      name: formatLabel(range.range),
      detail: [describeBounds(range), describeWhole(range, locale)].filter((text) => text !== '').join(', '),
      groups: groups.filter((group) => group.range === range.range),
      range,
    }));
  }
  if (unit === undefined) return [{ groups }];
  const byUnit = new Map<unknown, Fields[]>();
  for (const group of groups) byUnit.set(group[unit], [...(byUnit.get(group[unit]) ?? []), group]);
  return [...byUnit].map(([value, own]) => ({ name: formatLabel(value), groups: own }));
}

function describeWhole(range: Fields, locale: string | undefined): string {
  if ('total' in range) return `total ${formatValue(range.total, locale).text}`;
  return 'value' in range ? formatValue(range.value, locale).text : describeRecords(range.records, locale);
}

interface SizedRow extends Row {
  readonly size?: number;
}

interface SizedSection extends Omit<Section, 'rows'> {
  readonly rows: readonly SizedRow[];
}

function makeRows(groups: readonly Fields[], data: Data, layout: Layout): SizedRow[] {
  const { labels, locale } = layout;
  return groups.map((group) => {
    const { text, size } = formatValue(group.value, locale);
    return {
      labels: labels.map((name, index) =>
        labelGroup(group, name, index === 0 ? data.interval : undefined, layout),
      ),
      numbers: group.records === undefined ? [text] : [text, formatValue(group.records, locale).text],
      ...(size === undefined ? {} : { size }),
    };
  });
}

/** Returns the name of a group: that of the record it points to, a time, or its value. A period also shows its bounds. */
function labelGroup(group: Fields, name: string, interval: string | undefined, layout: Layout): string {
  const value = group[name];
  if (isTimeAxis(interval)) return formatBucket(String(value), interval, layout.locale);
  if (name !== 'range') return nameGroup(group, name, layout.named);
  return [formatLabel(value), describeBounds(group)].filter((text) => text !== '').join(': ');
}

export function nameGroup(group: Fields, name: string, named: string | undefined): string {
  const label = isFields(group.labels) ? group.labels[name] : name === named ? group.label : undefined;
  return formatLabel(typeof label === 'string' && label !== '' ? label : group[name]);
}

/** Describes the groups that the result leaves out. */
function makeOther({ other }: { other?: unknown }, { labels, locale }: Layout, isCount: boolean): SizedRow[] {
  if (!isFields(other)) return [];
  const groups =
    typeof other.groups === 'number' && other.groups > 0
      ? ` (${formatValue(other.groups, locale).text} groups)`
      : '';
  const records = formatValue(other.records, locale).text;
  const value = 'value' in other ? formatValue(other.value, locale).text : '';
  return [
    {
      labels: [`Not shown${groups}`, ...labels.slice(1).map(() => '')],
      numbers: isCount ? [value || records] : [value, records],
    },
  ];
}

/** Adds bars. Units have scales of their own; everything else shares one. */
function shareScale(sections: readonly SizedSection[], layout: Layout): Section[] {
  if (!layout.hasBars) return [...sections];
  const sizesOf = (rows: readonly SizedRow[]) => rows.flatMap(({ size }) => size ?? []);
  const common = createScale(
    sections.flatMap(({ rows }) => sizesOf(rows)),
    true,
  );
  return sections.map(({ rows, ...section }) => {
    const scale = layout.unit === undefined ? common : createScale(sizesOf(rows), true);
    return {
      ...section,
      rows: rows.map(({ size, ...row }) =>
        size === undefined ? row : { ...row, bar: makeBar(size, scale) },
      ),
    };
  });
}

function makeBar(size: number, scale: Scale): Bar {
  const [zero, end] = [scale.at(0) * 100, scale.at(size) * 100];
  return { start: Math.min(zero, end), length: Math.abs(end - zero), zero };
}
