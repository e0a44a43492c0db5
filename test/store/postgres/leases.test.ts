import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { PostgresStore } from '../../../src/store/postgres/open-store.ts';
import { sql } from '../../../src/store/postgres/sql.ts';
import type { LeaseStore } from '../../../src/store/shared-state.ts';
import { openProcesses } from '../../support/postgres/open-processes.ts';

const leasesOf = (stores: readonly PostgresStore[]) =>
  stores.map(({ shared }) => shared?.leases as LeaseStore);

describe('a lease', () => {
  it('is held by one of many that want it at the same time, and then by the next', async () => {
    const leases = leasesOf(await openProcesses(3));
    let running = 0;
    let most = 0;
    const work = async () => {
      running++;
      most = Math.max(most, running);
      await sleep(20);
      running--;
    };
    let ran = 0;
    for (let round = 0; round < 5; round++) {
      const outcomes = await Promise.all([...leases, ...leases].map((one) => one.tryRun('work', work)));
      ran += outcomes.filter((outcome) => outcome !== undefined).length;
    }
    expect(most).toBe(1);
    expect(ran).toBeGreaterThanOrEqual(5);
  });

  it('does not stop work of another name, and is released when work fails', async () => {
    const [first, second] = leasesOf(await openProcesses(2)) as [LeaseStore, LeaseStore];
    await first.tryRun('a', async () => {
      expect(await second.tryRun('a', async () => 1)).toBeUndefined();
      expect(await second.tryRun('b', async () => 1)).toEqual({ result: 1 });
    });
    await expect(first.tryRun('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await second.tryRun('a', async () => 2)).toEqual({ result: 2 });
  });

  it('passes to another process after it has expired, and the former holder learns of it', async () => {
    const stores = await openProcesses(2);
    const [first, second] = leasesOf(stores) as [LeaseStore, LeaseStore];
    const { reads } = (stores[0] as PostgresStore).databases;
    await first.tryRun('work', async (signal) => {
      // As if this process had not renewed it for so long.
      await reads.run(sql`update leases set expires_at = now() - interval '1 second'
        where owner_id = ${reads.ownerId}`);
      await second.tryRun('work', async () => {
        await expect.poll(() => signal.aborted, { timeout: 5_000 }).toBe(true);
      });
    });
    expect(await first.tryRun('work', async () => 3)).toEqual({ result: 3 });
  });
});
