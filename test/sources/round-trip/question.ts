/** What a person asks of an export a minute after it came in. Stream and field names are those that `schema` tells. */
export interface Questions {
  /** Which fixture is brought in: `slack/export`. */
  readonly given: string;
  /** How many there are in each month, by the stream's own time. */
  readonly perMonth: { stream: string; by: string; months: Record<string, number> };
  /** The newest of a person, an artist, a payee: whoever it is from. */
  readonly last: { stream: string; of: Record<string, unknown>; shows: Record<string, unknown> };
  /** Words that stand in one record, which is then read whole. */
  readonly phrase: { words: string; stream: string; document: readonly string[] };
  /** One number over all. */
  readonly total: {
    stream: string;
    metric: 'sum' | 'count_distinct' | 'avg' | 'min' | 'max';
    field: string;
    filter?: Record<string, unknown>;
    is: number | string;
  };
}
