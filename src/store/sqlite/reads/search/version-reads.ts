import { type Kysely, sql } from 'kysely';
import { streamOf } from '../../../records/rid.ts';
import { isUnrestricted } from '../../../records/visible-part.ts';
import type { Scope } from '../../../scope.ts';
import type { StoredVersion, VersionReads } from '../../../search/read-texts.ts';
import type { Tables } from '../../tables.ts';
import { createTemplate, FIRST, readRows } from '../../template.ts';
import { createLargeReads } from '../large-reads.ts';
import { storedVersion, whereVisible } from '../scope-sql.ts';

const selectStored = sql`
  select r.stream_id as stream_id, r.key as key, ${storedVersion('r')} as version from records r`;
const isAmong = sql<boolean>`r.rid in (select value from json_each(${FIRST}))`;
/** For streams that are granted without restriction, the row id alone decides. */
const selectWhole = createTemplate((select: typeof selectStored) => sql`${select} where ${isAmong}`);
const selectVisible = createTemplate(
  (scope: Scope) => sql`${selectStored} where ${isAmong} and ${whereVisible(scope, 'r')}`,
);
const selectByKey = createTemplate(
  (scope: Scope) => sql`${selectStored} where r.key = ${FIRST} and ${whereVisible(scope, 'r')}`,
);

/** Reads by scope and not by all parts of a page: a page may have any streams, so its statement would be a new one. */
export function createVersionReads(db: Kysely<Tables>): VersionReads {
  return {
    large: createLargeReads(db),
    async readByRids(parts, rids) {
      const listOf = (scopes: readonly Scope[]) => {
        const ids = new Set(scopes.map(({ stream }) => stream.streamId));
        return JSON.stringify(rids.filter((rid) => ids.has(streamOf(rid))));
      };
      const scopes = parts.map(({ scope }) => scope);
      const whole = scopes.filter(isUnrestricted);
      const versions =
        whole.length === 0 ? [] : readRows<StoredVersion>(db, selectWhole(selectStored, listOf(whole)));
      for (const scope of scopes)
        if (!isUnrestricted(scope))
          versions.push(...readRows<StoredVersion>(db, selectVisible(scope, listOf([scope]))));
      return versions;
    },
    async readByKey(parts, streamId, key) {
      const scope = parts.find((one) => one.scope.stream.streamId === streamId)?.scope;
      return scope === undefined ? [] : readRows<StoredVersion>(db, selectByKey(scope, key));
    },
  };
}
