import { entry } from '../support/diary-source.ts';

export const BATCH_SIZE = 50;

/** The lines of a numbered batch in one of its versions; sent in one request, they are stored together or not at all. */
export function versionedLines(batch: number, version: number): string[] {
  return Array.from({ length: BATCH_SIZE }, (_, i) =>
    JSON.stringify(
      entry(
        `b${batch}-${i}`,
        {
          title: `version ${version}`,
          body: `some words about number ${i} of batch ${batch}, written ${version + 1} times`,
          created_at: new Date(Date.UTC(2026, 0, 1 + (batch % 300), (i + version) % 24)).toISOString(),
          stars: i,
        },
        new Date(Date.UTC(2026, 9, 1, 0, 0, version)).toISOString(),
      ),
    ),
  );
}
