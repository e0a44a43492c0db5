import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEventLog } from '../../src/audit/events.ts';
import { startRetention } from '../../src/audit/retention.ts';
import { createGuide } from '../../src/guide/connect-guide.ts';
import { viewActivity } from '../../src/views/activity/activity.ts';
import { viewApp } from '../../src/views/app.ts';
import { viewConnect } from '../../src/views/connect.ts';
import { viewOverview } from '../../src/views/overview.ts';
import { createDiaryWorld } from '../support/diary-world.ts';
import { createPageApp } from '../support/servers/pages.ts';
import { addReads, countReads, DAY, pruneAll } from '../support/stores/audit.ts';
import { NOW, ORIGIN } from '../support/world.ts';

let world: Awaited<ReturnType<typeof createDiaryWorld>>;
beforeEach(async () => {
  world = await createDiaryWorld();
});
afterEach(() => world.close());

const count = (what: string) =>
  world.store.audit.raw.prepare(`select count(*) from ${what}`).pluck().get() as number;
const MB = 2 ** 20;

describe('the audit', () => {
  it('R-11 is pruned by age, and every count on the pages stays as it was', async () => {
    const { grantId } = await world.grant([{ connection_id: 'mine' }]);
    const other = await world.grant([{ connection_id: 'theirs' }]);
    const of = (id: string) => ({ grantId: id, client: 'Test app' });
    await addReads(world.store, 300, DAY / 8, of(grantId));
    await addReads(world.store, 60, DAY / 4, {
      ...of(other.grantId),
      tool: 'fetch',
      outcome: 'not_found',
      records: 0,
    });
    await addReads(world.store, 30, DAY / 2, { grantId: undefined, client: 'owner', surface: 'dashboard' });
    const look = async () => {
      const { store } = world;
      const [wide, refused, searches, own] = await Promise.all(
        [
          { from: '2026-09-01' },
          { outcome: 'refused' },
          { tool: 'search', app: grantId },
          { app: 'owner' },
        ].map((query) => viewActivity(store, query, NOW)),
      );
      const { reads: _r, events: _e, ...app } = await viewApp(store, grantId, NOW);
      const { last_reads: _l, ...overview } = await viewOverview(store, ORIGIN, NOW);
      const connect = await viewConnect(store, createGuide(ORIGIN), NOW);
      return { plots: [wide, refused, searches, own].map((view) => view?.plot), app, overview, connect };
    };
    const before = await look();
    expect(before.plots[0]?.totals).toMatchObject({ reads: 360, refused: 60 });
    await pruneAll(world.store, { days: 10 });
    expect(count('audit')).toBeLessThan(200);
    expect(await look()).toEqual(before);
    await pruneAll(world.store, { days: 0 });
    expect(count('audit')).toBe(1);
    expect(await look()).toEqual(before);
    expect(countReads(world.store)).toEqual({ entries: 1, counted: 389 });
  });

  it('is marked on the activity page where only counts remain', async () => {
    await addReads(world.store, 20, DAY);
    const page = () => createPageApp(world).get('/dashboard/activity?connection=mine');
    expect((await page()).text).not.toContain('no longer listed');
    await pruneAll(world.store, { days: 10 });
    expect((await page()).text).toMatch(
      /no longer listed individually\. They are counted by day, app and\s+tool, but not by connection/,
    );
    const { counted_until } = JSON.parse((await createPageApp(world).get('/dashboard/activity.json')).text);
    expect(counted_until).toBe('2026-11-05T12:00:00.000Z');
  });

  it('counts days by the owner’s calendar', async () => {
    await addReads(world.store, 48, DAY / 24);
    const inTokyo = (at: string) =>
      new Date(Math.floor((Date.parse(at) + 9 * 3_600_000) / DAY) * DAY - 9 * 3_600_000).toISOString();
    world.store.write.raw.exec(`update settings set value = 'Asia/Tokyo' where name = 'time_zone'`);
    world.store.write.raw.exec(`update counters set value = value + 1 where name = 'catalog'`);
    const plot = async () => (await viewActivity(world.store, { from: '2026-11-13' }, NOW)).plot;
    const before = await plot();
    await pruneAll(world.store, { days: 0 }, {}, inTokyo);
    expect(await plot()).toEqual(before);
    expect(before.series[0]?.values.filter((n) => n > 0)).toHaveLength(3);
  });

  it('R-11 stays below its size limit on disk for any reads', async () => {
    const { raw } = world.store.audit;
    await world.store.audit.enableShrinking();
    const file = join(world.store.directory, 'audit.sqlite');
    const limit = 1.5 * MB;
    const seen: number[] = [];
    for (let round = 0; round < 8; round += 1) {
      await addReads(world.store, 500, 1_000, { fields: ['x'.repeat(500)] });
      await pruneAll(world.store, { bytes: limit });
      raw.pragma('wal_checkpoint(truncate)');
      seen.push(statSync(file).size);
    }
    expect(Math.max(...seen)).toBeLessThanOrEqual(limit);
    expect(Math.min(...seen.slice(4))).toBeGreaterThan(limit / 2);
    expect(count('audit')).toBeGreaterThan(500);
    const { entries, counted } = countReads(world.store);
    expect(entries + counted).toBe(4_000);
  });

  it('frees disk space when its limit was lowered, also in a file of 0.1.0', async () => {
    const { raw } = world.store.audit;
    expect(raw.pragma('auto_vacuum', { simple: true })).toBe(0);
    await addReads(world.store, 4_000, 1_000, { fields: ['x'.repeat(500)] });
    await world.store.audit.enableShrinking();
    expect((await world.store.audit.measureFile()).onDisk).toBeGreaterThan(2 * MB);
    await pruneAll(world.store, { bytes: MB });
    raw.pragma('wal_checkpoint(truncate)');
    expect(statSync(join(world.store.directory, 'audit.sqlite')).size).toBeLessThanOrEqual(MB);
  });

  it('is pruned in the background, a few entries at a time, while calls are answered between', async () => {
    await world.call(world.mine, 'schema');
    await addReads(world.store, 3_000, 1_000);
    const troubles: unknown[] = [];
    const keeper = startRetention({
      exclusively: (work) => work(),
      audit: world.store.audit,
      limits: { days: 400, bytes: 500 * MB },
      readProtected: async () => ({ alarmsSeen: 0, liveGrants: [] }),
      dayOf: (at) => at.slice(0, 10),
      now: () => new Date(NOW.getTime() + 500 * DAY),
      onError: (error) => troubles.push(error),
    });
    const left: number[] = [];
    while ((left.at(-1) ?? Number.MAX_SAFE_INTEGER) > 1) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      left.push(count('audit'));
    }
    await keeper.stop();
    expect(troubles).toEqual([]);
    const steps = left.slice(1).map((n, i) => (left[i] as number) - n);
    // Two steps may fall between two looks on a busy machine, never all of them.
    expect(Math.max(...steps)).toBeLessThanOrEqual(800);
    expect(new Set(left).size).toBeGreaterThan(4);
    expect(countReads(world.store)).toEqual({ entries: 1, counted: 3_000 });
  });
});

describe('events', () => {
  it('keep unseen alarms and the history of live access at any age', async () => {
    const write = createEventLog(world.store.audit);
    const long = new Date(NOW.getTime() - 900 * DAY);
    await write({ kind: 'audit_lost' }, long);
    await write({ kind: 'audit_lost' }, long);
    await write({ kind: 'signed_in' }, long);
    await write({ kind: 'approved', grantId: 'grant_live', client: 'Live' }, long);
    await write({ kind: 'approved', grantId: 'grant_ended', client: 'Ended' }, long);
    await write({ kind: 'token_refreshed', grantId: 'grant_live', client: 'Live' }, long);
    await write({ kind: 'listed', grantId: 'grant_live', client: 'Live' }, long);
    await write({ kind: 'signed_in' }, NOW);
    await pruneAll(world.store, { days: 400, bytes: 0 }, { alarmsSeen: 1, liveGrants: ['grant_live'] });
    const kept = world.store.audit.raw.prepare('select id, kind from events order by id').raw().all();
    expect(kept).toEqual([
      [2, 'audit_lost'],
      [4, 'approved'],
      [7, 'listed'],
      [8, 'signed_in'],
    ]);
    expect(count('events')).toBe(4);
    await pruneAll(world.store, { days: 400 }, { alarmsSeen: 8 });
    expect(count('events')).toBe(1);
    await write({ kind: 'code_replayed' }, NOW);
    expect(count('events where id > 8')).toBe(1);
  });

  it('that end access are never pruned, because an older copy needs them', async () => {
    const write = createEventLog(world.store.audit);
    const long = new Date(NOW.getTime() - 900 * DAY);
    await write({ kind: 'revoked', grantId: 'grant_old', client: 'Old' }, long);
    await write({ kind: 'signed_in' }, long);
    await write({ kind: 'signed_out_everywhere' }, long);
    await write({ kind: 'signed_in' }, NOW);
    await pruneAll(world.store, { days: 400, bytes: 0 }, { alarmsSeen: 9 });
    const kept = world.store.audit.raw.prepare('select kind from events order by id').pluck().all();
    expect(kept).toEqual(['revoked', 'signed_out_everywhere', 'signed_in']);
  });

  it('that strangers caused are pruned before reads', async () => {
    await world.store.audit.enableShrinking();
    await addReads(world.store, 100, 1_000);
    const write = createEventLog(world.store.audit);
    for (let i = 0; i < 6_000; i += 1)
      await write(
        { kind: 'registered', client: 'x'.repeat(60), clientId: `c${i}` },
        new Date(NOW.getTime() + i * 10_000),
      );
    const { used } = await world.store.audit.measureFile();
    await pruneAll(world.store, { bytes: used * 0.7 });
    expect(count('audit')).toBe(100);
    expect(count('events')).toBeLessThan(5_000);
  });
});
