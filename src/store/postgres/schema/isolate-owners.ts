/**
 * Returns SQL that shows a connection only the rows of the owner it is bound to, and no rows if it is not bound.
 * Statements name the owner as well; this is the second line of defence. It also applies to the role that owns the tables.
 */
export function isolateOwners(...tables: readonly string[]): string {
  return tables
    .map(
      (table) => `
  alter table ${table} enable row level security;
  alter table ${table} force row level security;
  create policy one_owner on ${table}
    using (owner_id = nullif(current_setting('pdpp.owner_id', true), '')::integer);`,
    )
    .join('');
}
