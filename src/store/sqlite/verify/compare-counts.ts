import type Database from 'better-sqlite3';

/** How many there are of what is written together with each record; entries of the text index without one are stray. */
export interface TableCounts {
  readonly records: number;
  readonly facets: number;
  readonly dayCounts: number;
  readonly stray: number;
}

export function compareCounts(raw: Database.Database): TableCounts {
  const count = (query: string) => raw.prepare(query).pluck().get() as number;
  return {
    records: count('select count(*) from records'),
    facets: count('select count(*) from facets'),
    dayCounts: count('select coalesce(sum(n), 0) from days'),
    stray: count('select count(*) from texts_docsize where id not in (select rid from records)'),
  };
}
