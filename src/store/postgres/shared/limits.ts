import { createHmac } from 'node:crypto';
import type { Limit, SharedAttempts, SharedBuckets } from '../../../limits/shared-limits.ts';
import { deriveKey } from '../../../secrets/derive-key.ts';
import type { PostgresDatabase } from '../database.ts';
import { sql } from '../sql.ts';

/** Clocks of processes may differ by this much. A time further in the future came from a wrong clock. */
const MAX_CLOCK_DIFFERENCE_MS = 60_000;

/**
 * Counts attempts in the database. An attempt is stored before the others are counted, so that of concurrent attempts in
 * several processes no more than allowed pass. Addresses are stored as keyed hashes.
 */
export function createSharedAttempts(db: PostgresDatabase, secret: Uint8Array): SharedAttempts {
  const owner = db.ownerId;
  const hashKey = deriveKey(secret, 'addresses of attempts');
  return {
    async add(throttle, key, { perAddress, total }, time) {
      const hash =
        key === undefined ? null : createHmac('sha256', hashKey).update(key).digest('base64url').slice(0, 22);
      /** The end of the wait, if the window holds more than the limit. */
      const waitEnd = ({ max, windowMs }: Limit, isCounted: ReturnType<typeof sql>) => sql`(
        select at + ${windowMs}::int8 from attempts where owner_id = ${owner} and throttle = ${throttle}
          and ${isCounted} and at > ${time - windowMs}::int8 and at <= ${time + MAX_CLOCK_DIFFERENCE_MS}::int8
        order by at desc offset ${max} limit 1)`;
      const [added] = await db.query<{ id: number }>(sql`insert into attempts (owner_id, throttle, key, at)
        values (${owner}, ${throttle}, ${hash}, ${time}::int8) returning attempt_id as id`);
      const remove = async () => {
        await db.run(
          sql`delete from attempts where owner_id = ${owner} and attempt_id = ${added?.id ?? 0}::int8`,
        );
      };
      const own = hash === null ? sql`null::int8` : waitEnd(perAddress, sql`key = ${hash}`);
      const [found] = await db.query<{ end: number | null }>(
        sql`select coalesce(${own}, ${waitEnd(total, sql`true`)}) as end`,
      );
      const end = found?.end ?? null;
      if (end === null) return { remove };
      await remove();
      return { waitMs: end - time };
    },
  };
}

export function createSharedBuckets(db: PostgresDatabase): SharedBuckets {
  return {
    async spend(spends, time) {
      const list = (name: 'amount' | 'capacity' | 'perMs') =>
        sql`${spends.map((one) => one[name])}::float8[]`;
      // In the order of names, so that two processes never wait for each other.
      const rows = await db.query<{ name: string; level: number }>(sql`
        insert into buckets as b (owner_id, name, level, capacity, per_ms, filled_at)
        select ${db.ownerId}::int4, name, greatest(-capacity, capacity - amount), capacity, per_ms, ${time}::int8
          from unnest(${spends.map(({ name }) => name)}::text[], ${list('amount')}, ${list('capacity')}, ${list('perMs')})
            as s (name, amount, capacity, per_ms) order by name
        on conflict (owner_id, name) do update set
          level = greatest(-excluded.capacity, excluded.level - excluded.capacity + least(excluded.capacity,
            b.level + greatest(0, excluded.filled_at - b.filled_at) * excluded.per_ms)),
          capacity = excluded.capacity, per_ms = excluded.per_ms,
          filled_at = case when excluded.filled_at
            between b.filled_at - ${MAX_CLOCK_DIFFERENCE_MS}::int8 and b.filled_at
            then b.filled_at else excluded.filled_at end
        returning name, level`);
      return new Map(rows.map(({ name, level }) => [name, level]));
    },
  };
}
