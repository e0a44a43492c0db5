import { beforeEach, describe, expect, it } from 'vitest';
import { caldavSource } from '../../../src/accounts/dav/dav-source.ts';
import { SyncError } from '../../../src/accounts/sync-source.ts';
import { calendarImporter } from '../../../src/sources/calendar/calendar-importer.ts';
import { collect, makeInputFile } from '../../support/input-file.ts';
import { PASSWORD, useRadicale } from '../support/radicale.ts';
import { createContext, createTestRunner } from '../support/test-runner.ts';
import { useTlsProxy } from '../support/tls-proxy.ts';

const radicale = useRadicale();
const proxy = useTlsProxy(radicale);
let calendars = 0;

const event = (uid: string, title: string, more = '') =>
  `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:test\r\nBEGIN:VEVENT\r\nUID:${uid}\r\nDTSTAMP:20240101T000000Z\r\nDTSTART:20240102T100000Z\r\nDTEND:20240102T110000Z\r\nSUMMARY:${title}\r\n${more}END:VEVENT\r\nEND:VCALENDAR\r\n`;
const SERIES = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:test\r\nBEGIN:VTIMEZONE\r\nTZID:Own\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\nTZOFFSETFROM:+0530\r\nTZOFFSETTO:+0530\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\nBEGIN:VEVENT\r\nUID:series\r\nDTSTAMP:20240101T000000Z\r\nDTSTART;TZID=Own:20240102T100000\r\nDURATION:PT1H\r\nRRULE:FREQ=WEEKLY;COUNT=5\r\nEXDATE;TZID=Own:20240109T100000\r\nSUMMARY:Choir\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nUID:series\r\nRECURRENCE-ID;TZID=Own:20240116T100000\r\nDTSTAMP:20240101T000000Z\r\nDTSTART;TZID=Own:20240116T120000\r\nDURATION:PT1H\r\nSUMMARY:Choir (later)\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`;

/** A run of a new calendar, or of two. */
async function createTrial(isPair = false) {
  calendars += 1;
  const [a, b] = [`a${calendars}`, `b${calendars}`];
  await radicale.makeCalendar(a, 'Work');
  if (isPair) await radicale.makeCalendar(b, 'Home');
  const settings = caldavSource.parseSettings({ user: 'anna', server: proxy.url });
  const context = createContext({ settings, secret: PASSWORD });
  const check = await caldavSource.check(context);
  const collections = check.collections.map(({ id }) => id).filter((id) => id.includes(a) || id.includes(b));
  const runner = createTestRunner(caldavSource, { ...context, collections });
  return { a, b, context, check, runner };
}

async function failure(work: Promise<unknown>): Promise<SyncError> {
  const error = await work.then(
    () => expect.fail('it did not fail'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(SyncError);
  return error as SyncError;
}

beforeEach(() => {
  proxy.intercept = undefined;
  proxy.useGoodCertificate();
  proxy.seen.length = 0;
});

describe('CalDAV with Radicale', () => {
  it('finds the calendars from the host alone', async () => {
    const { a, check } = await createTrial();
    expect(check.account).toMatch(/^anna@dav\.test/);
    expect(check.collections).toContainEqual({ id: `/anna/${a}/`, name: 'Work', isDefault: true });
  });

  it('stores what an import of the exported calendar would', async () => {
    const { a, runner } = await createTrial();
    await radicale.put(
      `${a}/e.ics`,
      event('e', 'Dentist, 2nd floor', 'LOCATION:Berlin\r\nCATEGORIES:health,me\r\n'),
    );
    await radicale.put(`${a}/s.ics`, SERIES);
    await radicale.put(
      `${a}/t.ics`,
      'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VTODO\r\nUID:t\r\nDTSTAMP:20240101T000000Z\r\nDUE:20240201T090000Z\r\nSUMMARY:Taxes\r\nEND:VTODO\r\nEND:VCALENDAR\r\n',
    );
    const { put, problems } = await runner.run();
    expect([put, problems]).toEqual([3, []]);
    const imported = await collect(calendarImporter, [makeInputFile('work.ics', await radicale.export(a))]);
    const byId = (one: Record<string, unknown>, other: Record<string, unknown>) =>
      String(one.id) < String(other.id) ? -1 : 1;
    for (const stream of ['events', 'tasks'])
      expect(runner.records(stream).sort(byId)).toEqual(imported.records[stream]?.sort(byId));
    expect(runner.records('events')).toHaveLength(3);
    expect(runner.records('events')).toContainEqual(
      expect.objectContaining({ id: 'series/20240116T100000', series_id: 'series', calendar: 'Work' }),
    );
  });

  it('follows new, changed, deleted and moved objects, and asks for nothing else', async () => {
    const { a, b, runner } = await createTrial(true);
    for (const name of ['one', 'two', 'three', 'four'])
      await radicale.put(`${a}/${name}.ics`, event(name, name));
    expect((await runner.run()).put).toBe(4);
    expect(await runner.run()).toMatchObject({ put: 0, removed: 0 });

    await radicale.put(`${a}/one.ics`, event('one', 'one changed'));
    await radicale.delete(`${a}/two.ics`);
    await radicale.move(`${a}/three.ics`, `${b}/three.ics`);
    await radicale.put(`${b}/five.ics`, event('five', 'five'));
    proxy.seen.length = 0;
    expect(await runner.run()).toMatchObject({ put: 3, removed: 1 });
    expect(runner.titles()).toEqual(['five', 'four', 'one changed', 'three']);
    const moved = runner.records('events').find(({ id }) => id === 'three');
    expect(moved).toMatchObject({ calendar: 'Home' });
    expect(proxy.seen.filter((request) => !/^(PROPFIND|REPORT) /.test(request))).toEqual([]);
    // Discovery, one list for each calendar and one batch for each with changes.
    expect(proxy.seen.filter((request) => request.startsWith('REPORT')).length).toBe(4);
  });

  it('removes exceptions that a series no longer has', async () => {
    const { a, runner } = await createTrial();
    await radicale.put(`${a}/s.ics`, SERIES);
    await runner.run();
    const [head, , tail] = SERIES.split(/(?=BEGIN:VEVENT)/);
    await radicale.put(`${a}/s.ics`, `${head}${SERIES.split(/(?=BEGIN:VEVENT)/)[1]}END:VCALENDAR\r\n`);
    expect(tail).toContain('RECURRENCE-ID');
    expect(await runner.run()).toMatchObject({ put: 1, removed: 1 });
    expect(runner.titles()).toEqual(['Choir']);
  });

  it('starts again without doubling when the server forgets a token', async () => {
    const { a, runner } = await createTrial();
    for (const name of ['one', 'two', 'three']) await radicale.put(`${a}/${name}.ics`, event(name, name));
    await runner.run();
    await radicale.delete(`${a}/two.ics`);
    await radicale.put(`${a}/four.ics`, event('four', 'four'));
    radicale.forgetTokens();
    expect(await runner.run()).toMatchObject({ put: 1, removed: 1 });
    expect(runner.titles()).toEqual(['four', 'one', 'three']);
  });

  it('compares entity tags where the server has no tokens', async () => {
    const { a, runner } = await createTrial();
    proxy.intercept = async (request, response) => {
      if (request.method !== 'REPORT') return false;
      let body = '';
      for await (const chunk of request) body += String(chunk);
      if (body.includes('sync-collection')) response.writeHead(501).end();
      else {
        const { authorization = '' } = request.headers;
        const headers = { authorization, depth: '1', 'content-type': 'application/xml' };
        const url = `http://127.0.0.1:${radicale.port}${request.url}`;
        const answer = await fetch(url, { method: 'REPORT', body, headers });
        response.writeHead(answer.status).end(await answer.text());
      }
      return true;
    };
    await radicale.put(`${a}/one.ics`, event('one', 'one'));
    await radicale.put(`${a}/two.ics`, event('two', 'two'));
    expect((await runner.run()).put).toBe(2);
    expect((await runner.run()).put).toBe(0);
    await radicale.put(`${a}/one.ics`, event('one', 'changed'));
    await radicale.delete(`${a}/two.ics`);
    expect(await runner.run()).toMatchObject({ put: 1, removed: 1 });
    expect(runner.titles()).toEqual(['changed']);
  });

  it('removes the events of a calendar that was deleted', async () => {
    const { a, b, runner } = await createTrial(true);
    await radicale.put(`${a}/one.ics`, event('one', 'one'));
    await radicale.put(`${b}/two.ics`, event('two', 'two'));
    await runner.run();
    await radicale.delete(`${a}/`);
    await runner.run();
    expect(runner.titles()).toEqual(['two']);
  });
});

describe('a failing server', () => {
  it('names a wrong password, also when it changes later', async () => {
    const { context, runner } = await createTrial();
    const error = await failure(caldavSource.check({ ...context, secret: 'wrong' }));
    expect([error.code, error.message]).toEqual([
      'credentials',
      'The server refused the user name or the password.',
    ]);
    expect((await failure(runner.run({ secret: 'wrong' }))).code).toBe('credentials');
    expect(error.message + error.fix).not.toContain('wrong');
  });

  it('names an expired certificate and sends nothing', async () => {
    const { context } = await createTrial();
    proxy.useExpiredCertificate();
    proxy.seen.length = 0;
    const error = await failure(caldavSource.check(context));
    expect([error.code, error.message]).toEqual([
      'certificate',
      'The certificate of the server has expired.',
    ]);
    expect(proxy.seen).toEqual([]);
  });

  it('continues after the connection broke in the middle', async () => {
    const { a, runner } = await createTrial();
    const events = Array.from(
      { length: 120 },
      (_, number) => [`${number}.ics`, event(`e${number}`, `event ${number}`)] as const,
    );
    radicale.fill(a, new Map(events));
    let reports = 0;
    proxy.intercept = (request, response) => {
      if (request.method !== 'REPORT') return false;
      reports += 1;
      if (reports !== 3) return false;
      response.writeHead(207, { 'content-length': 9_999 }).write('<multistatus xmlns="DAV:"><response>');
      setTimeout(() => response.destroy(), 20);
      return true;
    };
    expect((await failure(runner.run())).code).toBe('unreachable');
    proxy.intercept = undefined;
    await runner.run();
    expect(new Set(runner.titles()).size).toBe(120);
    expect(runner.titles()).toHaveLength(120);
  });

  it('stops early when it is told to', async () => {
    const { a, runner } = await createTrial();
    await radicale.put(`${a}/one.ics`, event('one', 'one'));
    const controller = new AbortController();
    proxy.intercept = () => {
      controller.abort(new Error('paused'));
      return new Promise(() => {});
    };
    expect(await runner.run({ signal: controller.signal })).toMatchObject({ put: 0 });
  });
});
