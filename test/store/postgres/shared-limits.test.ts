import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { createFairQueue } from '../../../src/limits/queue.ts';
import { allows, createThrottle } from '../../../src/limits/throttle.ts';
import { type Admission, type Caller, createAdmission } from '../../../src/reads/admission.ts';
import type { PostgresStore } from '../../../src/store/postgres/open-store.ts';
import { sql } from '../../../src/store/postgres/sql.ts';
import { openProcesses } from '../../support/postgres/open-processes.ts';

const MINUTE = 60_000;
const NOW = Date.parse('2026-11-18T00:00:00.000Z');
const RULE = { perAddress: { max: 5, windowMs: 10 * MINUTE }, total: { max: 8, windowMs: MINUTE } };

describe('attempts in three processes', () => {
  const createThrottles = (stores: readonly PostgresStore[]) =>
    stores.map(({ shared }) => createThrottle('sign-ins', RULE, shared?.attempts));

  it('are counted together, also when they come at the same time', async () => {
    const throttles = createThrottles(await openProcesses(3));
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        allows(throttles[at % 3] as never, { key: 'one' }, new Date(NOW + at)),
      ),
    );
    expect(outcomes.filter((isAllowed) => isAllowed).length).toBeLessThanOrEqual(5);
    let allowed = outcomes.filter((isAllowed) => isAllowed).length;
    for (const throttle of throttles)
      for (let at = 0; at < 5; at++)
        if (await allows(throttle, { key: 'one' }, new Date(NOW + 2_000 + at))) allowed++;
    expect(allowed).toBe(5);
  });

  it('leave room for other addresses within the total, and tell how long to wait', async () => {
    const [first, second, third] = createThrottles(await openProcesses(3));
    for (let at = 0; at < 5; at++) await first?.({ key: 'one' }, new Date(NOW));
    for (let at = 0; at < 3; at++) await second?.({ key: `other ${at}` }, new Date(NOW + 1_000));
    await expect(third?.({ key: 'one' }, new Date(NOW + 2_000))).rejects.toMatchObject({
      retryAfterSeconds: 598,
    });
    await expect(third?.({ key: 'new' }, new Date(NOW + 2_000))).rejects.toMatchObject({
      retryAfterSeconds: 58,
    });
    const refund = await third?.({ key: 'new' }, new Date(NOW + MINUTE));
    await refund?.();
    expect(await allows(first as never, { key: 'one' }, new Date(NOW + 10 * MINUTE))).toBe(true);
  });

  it('are refused without asking the database again within a second, and are not stored as addresses', async () => {
    const [store] = (await openProcesses(1)) as [PostgresStore];
    const attempts = store.shared?.attempts as NonNullable<PostgresStore['shared']>['attempts'];
    const add = vi.spyOn(attempts, 'add');
    const throttle = createThrottle('sign-ins', RULE, attempts);
    for (let at = 0; at < 500; at++) await allows(throttle, { key: '203.0.113.7' }, new Date(NOW + at));
    expect(add).toHaveBeenCalledTimes(6);
    const { reads } = store.databases;
    const rows = await reads.query<{ key: string }>(
      sql`select key from attempts where owner_id = ${reads.ownerId}`,
    );
    expect(rows).toHaveLength(5);
    expect(JSON.stringify(rows)).not.toContain('203');
    await store.shared?.prune(new Date(NOW + 2 * 60 * MINUTE));
    expect(await reads.query(sql`select 1 from attempts where owner_id = ${reads.ownerId}`)).toEqual([]);
  });
});

describe('calls in three processes', () => {
  const caller = { kind: 'owner', tokenHash: 'token' } as Caller;

  function createAdmissions(stores: readonly PostgresStore[], now: () => number): Admission[] {
    return stores.map(({ shared }) =>
      createAdmission({
        rule: { callsPerMinute: 600, workSecondsPerMinute: 0 },
        queue: createFairQueue(10),
        now,
        onRefused: async () => {},
        shared: shared?.buckets,
      }),
    );
  }
  const tryCall = async (admission: Admission) => {
    try {
      (await admission.enter(caller, 'mcp', { isShort: true }))();
      return 1;
    } catch {
      return 0;
    }
  };

  it('share one limit: a burst in all passes hardly more calls than in one', async () => {
    let time = NOW;
    const admissions = createAdmissions(await openProcesses(3), () => time);
    let passed = 0;
    for (let round = 0; round < 100; round++) {
      for (const admission of admissions) passed += await tryCall(admission);
      await sleep(2);
    }
    // A burst is a sixth of 600, and each process may spend a twentieth of that before the others know.
    expect(passed).toBeGreaterThanOrEqual(100);
    expect(passed).toBeLessThanOrEqual(100 + 3 * 10);

    await sleep(400);
    time += 6_000;
    let later = 0;
    for (let round = 0; round < 100; round++) {
      for (const admission of admissions) later += await tryCall(admission);
      await sleep(2);
    }
    // Six seconds refill 60, and the debt of the burst is paid from it.
    expect(passed + later).toBeGreaterThanOrEqual(150);
    expect(passed + later).toBeLessThanOrEqual(160 + 3 * 10);
  });

  it('need few statements: far less than one per call', async () => {
    const [store] = (await openProcesses(1)) as [PostgresStore];
    const buckets = store.shared?.buckets as NonNullable<PostgresStore['shared']>['buckets'];
    const spend = vi.spyOn(buckets, 'spend');
    const [admission] = createAdmissions([store], () => performance.now()) as [Admission];
    let passed = 0;
    for (let call = 0; call < 90; call++) passed += await tryCall(admission);
    await sleep(300);
    expect(passed).toBe(90);
    expect(spend.mock.calls.length).toBeLessThanOrEqual(20);
  });

  it('go on while the database cannot be reached, and are counted afterwards', async () => {
    const [store] = (await openProcesses(1)) as [PostgresStore];
    const buckets = store.shared?.buckets as NonNullable<PostgresStore['shared']>['buckets'];
    const spend = vi.spyOn(buckets, 'spend').mockRejectedValue(new Error('gone'));
    const [admission] = createAdmissions([store], () => NOW) as [Admission];
    for (let call = 0; call < 40; call++) expect(await tryCall(admission)).toBe(1);
    expect(spend.mock.calls.length).toBeLessThanOrEqual(2);
    spend.mockRestore();
    const read = async () =>
      (await buckets.spend([{ name: 'token token calls', amount: 0, capacity: 100, perMs: 0.01 }], NOW)).get(
        'token token calls',
      );
    await expect.poll(read, { timeout: 2_000 }).toBe(60);
  });
});
