/** What an app may read of one stream, in names: as much as is needed to take the rest away again. */
export interface ChangedTerms {
  readonly connection_id: string;
  readonly stream: string;
  readonly fields: readonly string[];
  readonly time_field?: string | undefined;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

/** The detail of an `access_changed` event. */
export interface AccessChange {
  /** What was added and taken away, for people. */
  readonly summary: string;
  /** All that may be read after the change. */
  readonly terms: readonly ChangedTerms[];
}

/** Writes the detail. Record keys are left out: the log holds names, not data. */
export function writeAccessChange({ summary, terms }: AccessChange): string {
  const named = terms.map(({ connection_id, stream, fields, time_field, since, until }) => ({
    connection_id,
    stream,
    fields,
    time_field,
    since,
    until,
  }));
  return JSON.stringify({ summary, terms: named });
}

/** Reads a detail that was written here; undefined where it is damaged. */
export function readAccessChange(detail: string | null): AccessChange | undefined {
  try {
    const { summary, terms } = JSON.parse(detail ?? '') as Partial<AccessChange>;
    return typeof summary === 'string' && Array.isArray(terms) ? { summary, terms } : undefined;
  } catch {
    return undefined;
  }
}
