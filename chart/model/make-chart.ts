import type { Chart } from './chart.ts';
import { describeSource, describeTitle, describeTotal, listNotes } from './describe.ts';
import { chooseLocale, formatValue } from './format-value.ts';
import { makeLines } from './lines.ts';
import {
  asText,
  asTexts,
  type Data,
  type Fields,
  isFields,
  type Result,
  readBody,
  readResult,
} from './result.ts';
import { type Layout, makeTable, nameGroup } from './rows.ts';
import { isTimeAxis } from './time-steps.ts';

/** Turns a tool result into what the page shows. A result of an unknown form becomes a sentence. */
export function makeChart(toolResult: unknown, wantedLocale?: unknown): Chart {
  const locale = chooseLocale(wantedLocale);
  const body = readBody(toolResult);
  const result = readResult(body);
  if (isFields(body.error)) return describeError(body.error);
  if (result === undefined) return { title: 'No chart', source: '', notes: ['This result cannot be drawn.'] };
  const { data } = result;
  const total = describeTotal(data, locale);
  const groups = data.groups.length + data.ranges.length === 0 ? {} : drawGroups(result, locale);
  const isEmpty = data.groupBy.length > 0 && data.groups.length === 0;
  return {
    title: describeTitle(data),
    source: describeSource(result.source),
    ...(total === undefined ? {} : { total }),
    notes: [...(isEmpty ? ['No record matches.'] : []), ...listNotes(result)],
    ...groups,
  };
}

function describeError(error: Fields): Chart {
  const notes = [error.message, error.hint].flatMap((text) => asText(text) ?? []);
  return { title: 'No result', source: '', notes, isError: true };
}

function drawGroups({ data, meta }: Result, locale: string | undefined): Pick<Chart, 'table' | 'lines'> {
  const fields = listFields(data);
  const isMixed = asTexts(meta.warnings).includes('mixed_units');
  // Mixed amounts are split by their unit, unless that would be a third field. Then they cannot be compared at all.
  const isSplit = isMixed && !('units' in data.all);
  const unit = isSplit ? fields.at(-1) : undefined;
  const onlyUnits = unit !== undefined && fields.length === 1;
  const labels = fields.filter((name) => name !== unit || onlyUnits);
  const layout: Layout = {
    ...addLabels(data, labels),
    unit: onlyUnits ? undefined : unit,
    hasBars: false,
    locale,
  };
  const isComparable = !onlyUnits && (!isMixed || isSplit);
  const { interval, groupBy } = data;
  if (!isTimeAxis(interval) || !isComparable)
    return { table: makeTable(data, { ...layout, hasBars: isComparable && hasNumbers(data) }) };
  const series = groupBy[1];
  const nameOf = (group: Fields) => nameGroup(group, series ?? '', layout.named);
  const lines = makeLines(data, interval, { series, hasUnits: isSplit, locale, nameOf });
  if (lines !== undefined) return { table: makeTable(data, layout), lines };
  return { table: makeTable(data, { ...layout, hasBars: hasNumbers(data) }) };
}

/** Returns the fields that name a group. With ranges, the first is the range; ranges of several groups are headings. */
function listFields({ groupBy, groups, ranges }: Data): string[] {
  if (ranges.length > 0) return groupBy.slice(1);
  return groups.some((group) => 'range' in group) ? ['range', ...groupBy.slice(1)] : [...groupBy];
}

/** Finds the field that labels name. With two fields it is unknown which one, so the label has a column of its own. */
function addLabels({ interval, groups }: Data, labels: readonly string[]): Pick<Layout, 'labels' | 'named'> {
  const fields = labels.filter((name, index) => name !== 'range' && (interval === undefined || index > 0));
  const isLabelled = !labels.includes('label') && groups.some(({ label }) => typeof label === 'string');
  if (!isLabelled || fields.length < 2) return { labels, named: fields.length === 1 ? fields[0] : undefined };
  return { labels: [...labels, 'label'], named: undefined };
}

/** Whether values are numbers, and not times. */
function hasNumbers({ groups }: Data): boolean {
  return groups.some(({ value }) => formatValue(value, undefined).size !== undefined);
}
