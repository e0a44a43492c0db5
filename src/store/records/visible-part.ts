import type { Scope } from '../scope.ts';

/** Whether the time of a record decides if it is visible. */
export function isWindowed(scope: Scope): boolean {
  return scope.since !== undefined || scope.until !== undefined;
}

/** Whether the grant covers every record of the stream. */
export function isUnrestricted(scope: Scope): boolean {
  return scope.keys === undefined && !isWindowed(scope);
}

/** Whether counts may come from totals per day: only where the grant hides no single record. */
export function coversWholeDays(scope: Scope): boolean {
  return scope.keys === undefined;
}

/** Returns the text columns of granted fields. */
export function visibleColumns({ stream, fields }: Scope): number[] {
  return Object.entries(stream.plan.texts)
    .filter(([name]) => fields.has(name) && stream.fields.get(name)?.search === true)
    .map(([, column]) => column);
}

/** Returns the granted part of a stored record, without nulls: absent and null mean the same to a reader. */
export function projectRecord(scope: Scope, data: string): Record<string, unknown> {
  const stored = JSON.parse(data) as Record<string, unknown>;
  const record: Record<string, unknown> = {};
  for (const name of scope.fieldNames) {
    const value = Object.hasOwn(stored, name) ? stored[name] : undefined;
    if (value !== undefined && value !== null) record[name] = value;
  }
  return record;
}
