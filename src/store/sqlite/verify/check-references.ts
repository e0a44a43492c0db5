import type Database from 'better-sqlite3';
import { parseGrant } from '../../../grants/grant.ts';
import type { StreamDeclaration } from '../../../schema-index/declaration.ts';
import { parseSlotPlan, planSlots } from '../../../schema-index/slot-plan.ts';
import type { GrantRow } from '../../grant-store.ts';
import { SLOT_COUNT, TEXT_COLUMNS } from '../../scope.ts';
import type { Problems } from '../check/finding.ts';

/** Checks that all references have a target. */
export function checkReferences(raw: Database.Database, problems: Problems): void {
  for (const { table, parent } of raw.pragma('foreign_key_check') as { table: string; parent: string }[])
    problems.add(`rows of ${table} that refer to missing ${parent}`);
  for (const table of ['records', 'facets', 'history', 'deletions', 'days', 'account_records']) {
    const strays = raw.prepare(
      `select stream_id, count(*) from ${table} where stream_id not in (select stream_id from streams union all select stream_id from removals) group by 1`,
    );
    for (const [streamId, count] of strays.raw().all() as [number, number][])
      problems.add(`rows of ${table} in a missing stream`, `stream ${streamId}`, count);
  }
}

export function checkGrants(raw: Database.Database, problems: Problems): void {
  const grants = raw.prepare('select * from grants');
  for (const row of grants.iterate() as Iterable<GrantRow>)
    if (parseGrant(row) === undefined) problems.add('unreadable grants, which give no access', row.grant_id);
  const count = (what: string, sql: string) => {
    const found = raw.prepare(sql).pluck().get() as number;
    if (found > 0) problems.add(what, undefined, found);
  };
  count('tokens without a grant', `select count(*) from tokens where kind = 'client' and grant_id is null`);
  count(
    'codes and refresh tokens of a missing grant',
    'select count(*) from oauth_items where grant_id is not null and grant_id not in (select grant_id from grants)',
  );
}

interface PlannedStream {
  readonly connection_id: string;
  readonly stream: string;
  readonly plan: string;
  readonly declaration: string;
}

/** Checks that every stream is declared, and that each of its fields has its own slot or text column. */
export function checkPlans(raw: Database.Database, problems: Problems): void {
  const rows = raw.prepare(
    `select connection_id, stream, plan, declaration
     from streams join connections using (connection_id) join sources using (connector_key)`,
  );
  const planned = new Set<string>();
  for (const row of rows.iterate() as Iterable<PlannedStream>) {
    const name = `${row.connection_id}/${row.stream}`;
    planned.add(name);
    const declared = streamsOf(row.declaration).find((one) => one.name === row.stream);
    if (declared === undefined) problems.add('streams that are not declared', name);
    else if (!isWholePlan(row.plan, declared))
      problems.add('streams whose plan disagrees with its declaration', name);
  }
  const connections = raw.prepare(
    'select connection_id, declaration from connections join sources using (connector_key)',
  );
  for (const { connection_id, declaration } of connections.iterate() as Iterable<PlannedStream>)
    for (const { name } of streamsOf(declaration))
      if (!planned.has(`${connection_id}/${name}`))
        problems.add('declared streams without a slot plan', `${connection_id}/${name}`);
}

function isWholePlan(text: string, declared: StreamDeclaration): boolean {
  try {
    const plan = parseSlotPlan(text);
    const areUnique = (columns: Readonly<Record<string, number>>, count: number) =>
      new Set(Object.values(columns)).size === Object.keys(columns).length &&
      Object.values(columns).every((column) => Number.isInteger(column) && column >= 0 && column < count);
    return (
      areUnique(plan.slots, SLOT_COUNT) &&
      areUnique(plan.texts, TEXT_COLUMNS) &&
      JSON.stringify(planSlots(declared, plan)) === text
    );
  } catch {
    return false;
  }
}

function streamsOf(declaration: string): StreamDeclaration[] {
  return (JSON.parse(declaration) as { streams: StreamDeclaration[] }).streams;
}
