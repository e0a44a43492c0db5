import { describe, expect, it } from 'vitest';
import { caldavSource } from '../../../src/accounts/dav/dav-source.ts';
import { PASSWORD, useRadicale } from '../support/radicale.ts';
import { openAccount } from '../support/run-account.ts';
import { createContext } from '../support/test-runner.ts';
import { useTlsProxy } from '../support/tls-proxy.ts';

const radicale = useRadicale();
const proxy = useTlsProxy(radicale);

const event = (uid: string) =>
  `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:test\r\nBEGIN:VEVENT\r\nUID:${uid}\r\nDTSTAMP:20240101T000000Z\r\nDTSTART:20240102T100000Z\r\nSUMMARY:${uid}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`;

describe('a calendar account in a store', () => {
  it('follows its calendar, and an import of the same calendar stores nothing twice', async () => {
    await radicale.makeCalendar('work', 'Work');
    await radicale.makeCalendar('home', 'Home');
    radicale.fill('work', new Map(Array.from({ length: 30 }, (_, n) => [`${n}.ics`, event(`e${n}`)])));
    const settings = caldavSource.parseSettings({ user: 'anna', server: proxy.url });
    const account = await openAccount('caldav', settings, PASSWORD, createContext().network);
    expect(await account.sync()).toMatchObject({ state: 'synced', changes: { new: 30, removed: 0 } });
    expect(await account.sync()).toMatchObject({
      state: 'synced',
      changes: { new: 0, changed: 0, removed: 0 },
    });

    await account.import('work.ics', await radicale.export('work'));
    expect(await account.listConnections()).toHaveLength(1);
    expect((await account.count()).events).toBe(30);

    await radicale.delete('work/1.ics');
    await radicale.move('work/2.ics', 'home/2.ics');
    await radicale.put('home/new.ics', event('new'));
    expect(await account.sync()).toMatchObject({
      state: 'synced',
      changes: { new: 1, changed: 1, removed: 1 },
    });
    expect((await account.count()).events).toBe(30);

    radicale.forgetTokens();
    expect(await account.sync()).toMatchObject({
      state: 'synced',
      changes: { new: 0, changed: 0, removed: 0 },
    });
  });

  it('ends with a typed problem, and goes on when it is solved', async () => {
    const settings = caldavSource.parseSettings({ user: 'anna', server: proxy.url });
    const account = await openAccount('caldav', settings, 'wrong', createContext().network);
    expect(await account.sync()).toMatchObject({
      state: 'failed',
      stopped: true,
      problem: { code: 'credentials' },
    });
    proxy.useExpiredCertificate();
    expect(await account.sync()).toMatchObject({ state: 'failed', problem: { code: 'certificate' } });
    proxy.useGoodCertificate();
  });
});
