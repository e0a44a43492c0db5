import { describe, expect, it } from 'vitest';
import { caldavSource } from '../../../src/accounts/dav/dav-source.ts';
import { PASSWORD, useRadicale } from '../support/radicale.ts';
import { openAccount } from '../support/run-account.ts';
import { createContext } from '../support/test-runner.ts';
import { useTlsProxy } from '../support/tls-proxy.ts';

const radicale = useRadicale();
const proxy = useTlsProxy(radicale);
const EVENTS = 5_000;

const event = (n: number) =>
  `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:test\r\nBEGIN:VEVENT\r\nUID:e${n}\r\nDTSTAMP:20240101T000000Z\r\nDTSTART:20240102T100000Z\r\nSUMMARY:Event ${n}\r\nDESCRIPTION:${'word '.repeat(50)}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`;

describe('5,000 events', () => {
  it('are synced although the server restarts in the middle and is slow', async () => {
    await radicale.makeCalendar('large', 'Large');
    radicale.fill('large', new Map(Array.from({ length: EVENTS }, (_, n) => [`${n}.ics`, event(n)])));
    // Radicale reads new files when it is asked for the first time.
    await radicale.export('large');
    const settings = caldavSource.parseSettings({ user: 'anna', server: proxy.url });
    const account = await openAccount('caldav', settings, PASSWORD, createContext().network);
    let reports = 0;
    proxy.intercept = async (request) => {
      if (request.method !== 'REPORT') return false;
      reports += 1;
      if (reports === 40) await radicale.stop();
      // Slower than usual, but within the limits.
      if (reports % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 500));
      return false;
    };
    expect(await account.sync()).toMatchObject({ state: 'failed', problem: { code: 'unreachable' } });
    const half = (await account.count()).events ?? 0;
    expect(half).toBeGreaterThan(1_000);
    expect(half).toBeLessThan(EVENTS);
    await radicale.start();
    proxy.seen.length = 0;
    const before = process.memoryUsage().rss;
    expect(await account.sync()).toMatchObject({
      state: 'synced',
      changes: { new: EVENTS - half, changed: 0 },
    });
    expect((await account.count()).events).toBe(EVENTS);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 2 ** 20);
    // Only what was missing was fetched.
    const batches = proxy.seen.filter((request) => request.startsWith('REPORT')).length;
    expect(batches).toBeLessThanOrEqual(Math.ceil((EVENTS - half) / 50) + 2);
    expect(await account.sync()).toMatchObject({
      state: 'synced',
      changes: { new: 0, changed: 0, removed: 0 },
    });
  });
});
