import type { Total } from './chart.ts';
import { formatLabel, formatTime, formatValue } from './format-value.ts';
import { asText, asTexts, type Data, type Fields, isFields, type Result } from './result.ts';

const METRICS: Fields = {
  count: 'Number of records',
  count_distinct: 'Number of different values',
  sum: 'Sum',
  avg: 'Average',
  min: 'Minimum',
  max: 'Maximum',
};

/** Names what was measured, for a heading: "Sum of amount". */
export function nameMetric({ metric, field }: Data): string {
  const name = asText(METRICS[metric]) ?? metric;
  return field === undefined ? name : `${name} of ${field}`;
}

/** Returns the title: what was measured, and by what. */
export function describeTitle(data: Data): string {
  const [first, ...others] = data.groupBy;
  const isByRange = data.ranges.length > 0 || data.groups.some((group) => 'range' in group);
  const time =
    data.interval === undefined ? (isByRange ? 'period' : first) : data.interval.replaceAll('_', ' ');
  const by = [time, ...others].filter((name) => name !== undefined);
  return by.length === 0 ? nameMetric(data) : `${nameMetric(data)} by ${by.join(' and ')}`;
}

/** Returns where the records come from. */
export function describeSource({ stream, connection_id, connection_ids }: Fields): string {
  const ids = [asText(connection_id) ?? [], asTexts(connection_ids)].flat();
  const from = ids.length > 3 ? `${ids.length} connections` : ids.join(', ');
  return [asText(stream) ?? '', from].filter((text) => text !== '').join(' · ');
}

/** Returns the number over all records. */
export function describeTotal({ all }: Data, locale: string | undefined): Total | undefined {
  const isSum = 'total' in all;
  if (!isSum && !('value' in all)) return undefined;
  const { text } = formatValue(isSum ? all.total : all.value, locale);
  const isCount = all.records === undefined || all.total === all.records;
  return {
    name: isSum ? 'Total' : 'Overall',
    text,
    ...(isCount ? {} : { records: describeRecords(all.records, locale) }),
  };
}

export function describeRecords(records: unknown, locale: string | undefined): string {
  return `${formatValue(records, locale).text} ${records === 1 ? 'record' : 'records'}`;
}

/** Returns the sentences below the chart: warnings, the period, the time zone, and what to try. */
export function listNotes({ data, meta }: Result): string[] {
  const { hint, units, similar_values: similar } = data.all;
  return [
    ...Object.values(isFields(meta.warnings_mean) ? meta.warnings_mean : {}).filter(
      (one) => typeof one === 'string',
    ),
    ...(Array.isArray(units) ? [`Units: ${units.map(formatLabel).join(', ')}.`] : []),
    ...(typeof hint === 'string' ? [hint] : []),
    ...Object.entries(isFields(similar) ? similar : {}).map(
      ([field, values]) => `Similar values of ${field}: ${asTexts(values).map(formatLabel).join(', ')}.`,
    ),
    ...Object.entries(isFields(meta.times_understood_as) ? meta.times_understood_as : {}).flatMap(
      describePeriod,
    ),
    ...(typeof meta.time_zone === 'string' ? [`Time zone: ${meta.time_zone}.`] : []),
  ];
}

const BOUNDS: readonly (readonly [string, string])[] = [
  ['gte', 'from'],
  ['gt', 'after'],
  ['lt', 'before'],
  ['lte', 'until'],
  ['eq', ''],
];

function describePeriod([field, bounds]: [string, unknown]): string[] {
  const text = describeBounds(isFields(bounds) ? bounds : {});
  return text === '' ? [] : [`Only ${field} ${text}.`];
}

/** Describes a period by its bounds: "from 2026-05-01 before 2026-06-01". */
export function describeBounds(bounds: Fields): string {
  return BOUNDS.flatMap(([op, word]) =>
    typeof bounds[op] === 'string' ? [`${word} ${formatTime(bounds[op])}`.trim()] : [],
  ).join(' ');
}
