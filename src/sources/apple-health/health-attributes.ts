import type { TimeOptions } from '../../import/read/read-time.ts';
import type { XmlTree } from '../files/xml-tree.ts';
import { readHealthTime } from './health-names.ts';

export function readPeriod(
  { startDate, endDate, creationDate }: XmlTree['attributes'],
  options: TimeOptions,
) {
  const started_at = readHealthTime(startDate, options);
  return {
    started_at,
    // Measurements at a moment, such as a heart rate, end when they begin.
    ended_at: endDate === startDate ? started_at : readHealthTime(endDate, options),
    recorded_at: readHealthTime(creationDate, options),
  };
}

export function readMetadata(children: readonly XmlTree[]): Record<string, unknown> | undefined {
  if (children.length === 0) return undefined;
  const entries = attributesOf(children, 'MetadataEntry');
  if (entries.length === 0) return undefined;
  const metadata: Record<string, unknown> = {};
  for (const { key = '', value = '' } of entries) {
    if (key === 'HKWasUserEntered') metadata.was_entered_by_hand = value === '1';
    else if (key === 'HKIndoorWorkout') metadata.is_indoor = value === '1';
    else metadata[key] = value;
  }
  return metadata;
}

export const attributesOf = (children: readonly XmlTree[], name: string) =>
  children.filter((child) => child.name === name).map((child) => ({ ...child.attributes }));

export function toNumber(text: string | undefined): number | undefined {
  const number = text === undefined || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : undefined;
}
