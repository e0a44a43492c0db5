import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { isTrusted } from '../../../src/accounts/dav/dav-client.ts';
import { caldavSource } from '../../../src/accounts/dav/dav-source.ts';
import { SyncError } from '../../../src/accounts/sync-source.ts';
import { useFakeServer, writeForever } from '../support/fake-server.ts';
import { createContext, createTestRunner } from '../support/test-runner.ts';

const fake = useFakeServer();

const multistatus = (inner: string) => `<multistatus xmlns="DAV:">${inner}</multistatus>`;
const resource = (href: string, properties: string) =>
  `<response><href>${href}</href><propstat><prop>${properties}</prop><status>HTTP/1.1 200 OK</status></propstat></response>`;
const CALENDAR =
  '<resourcetype><collection/><calendar xmlns="urn:ietf:params:xml:ns:caldav"/></resourcetype><displayname>Work</displayname><supported-report-set><supported-report><report><sync-collection/></report></supported-report></supported-report-set>';
const event = (uid: string) =>
  `BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\nUID:${uid}\nDTSTART:20240102T100000Z\nSUMMARY:${uid}\nEND:VEVENT\nEND:VCALENDAR\n`;

/** Answers as a server with one calendar. `answers` replaces some of its responses. */
function serveCalendar(answers: { start?: string; list?: string; objects?: string }): void {
  fake.handle = ({ method, text }, response) => {
    const { start, list, objects } = answers;
    const body =
      method === 'PROPFIND'
        ? (start ?? multistatus(resource('/work/', CALENDAR)))
        : text.includes('sync-collection')
          ? (list ?? multistatus('<sync-token>1</sync-token>'))
          : (objects ?? multistatus(''));
    response.writeHead(207, { 'content-type': 'application/xml' }).end(body);
  };
}

function createTrial(times?: { idleMs: number }) {
  const settings = caldavSource.parseSettings({ user: 'anna', server: `${fake.url}work/` });
  const context = createContext({ settings, secret: 'secret', network: fake.createNetwork(times) });
  return { context, runner: createTestRunner(caldavSource, context) };
}

async function failure(work: Promise<unknown>): Promise<SyncError> {
  const error = await work.then(
    () => expect.fail('it did not fail'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(SyncError);
  return error as SyncError;
}

describe('a hostile CalDAV server', () => {
  it('cannot use entities of XML', async () => {
    const entities = Array.from(
      { length: 9 },
      (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`,
    );
    serveCalendar({
      start: `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "lol">${entities.join('')}<!ENTITY file SYSTEM "file:///etc/passwd">]>${multistatus(resource('/work/', `${CALENDAR}<x>&l9;&file;</x>`))}`,
    });
    expect((await failure(createTrial().runner.run())).code).toBe('protocol');
  });

  it.each([
    ['an endless body', '<multistatus xmlns="DAV:">', resource('/work/a.ics', '<getetag>1</getetag>')],
    ['an endless text', '<multistatus xmlns="DAV:"><response><href>', 'a'.repeat(10_000)],
    ['an endless nesting', '<multistatus xmlns="DAV:"><response>', '<a>'.repeat(1_000)],
  ])('ends with %s', async (_name, head, piece) => {
    fake.handle = (_request, response) => {
      response.writeHead(207, { 'content-type': 'application/xml' }).write(head);
      writeForever(response, piece);
    };
    global.gc?.();
    const before = process.memoryUsage().rss;
    const error = await failure(createTrial().runner.run());
    expect(['too_large', 'protocol']).toContain(error.code);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 2 ** 20);
  });

  it('cannot list a million objects', async () => {
    const some = Array.from({ length: 1_000 }, (_, n) => n);
    let sent = 0;
    fake.handle = ({ method }, response) => {
      response.writeHead(207, { 'content-type': 'application/xml' });
      if (method === 'PROPFIND') return void response.end(multistatus(resource('/work/', CALENDAR)));
      response.write('<multistatus xmlns="DAV:">');
      const write = () => {
        while (sent < 1_000_000 && !response.destroyed) {
          const from = sent;
          sent += some.length;
          if (
            !response.write(
              some.map((n) => resource(`/work/${from + n}.ics`, '<getetag>1</getetag>')).join(''),
            )
          )
            return;
        }
      };
      response.on('drain', write);
      write();
    };
    expect((await failure(createTrial().runner.run())).code).toBe('too_large');
    expect(sent).toBeLessThan(300_000);
  });

  it.each([
    ['tokens that repeat', (round: number) => String(round % 2), (_round: number) => ''],
    ['new tokens without end', (round: number) => String(round), (_round: number) => ''],
    [
      'new tokens and the same entry without end',
      (round: number) => String(round),
      (_round: number) => resource('/work/a.ics', '<getetag>1</getetag>'),
    ],
  ])('cannot hold a run by %s', async (_name, token, more) => {
    let rounds = 0;
    fake.handle = ({ method }, response) => {
      response.writeHead(207, { 'content-type': 'application/xml' });
      if (method === 'PROPFIND') return void response.end(multistatus(resource('/work/', CALENDAR)));
      rounds += 1;
      const isCut =
        '<response><href>/work/</href><status>HTTP/1.1 507 Insufficient Storage</status></response>';
      response.end(multistatus(`${isCut}${more(rounds)}<sync-token>urn:${token(rounds)}</sync-token>`));
    };
    expect((await failure(createTrial().runner.run())).code).toBe('too_large');
    expect(rounds).toBeLessThan(10);
  });

  it('cannot send a gzip bomb', async () => {
    const bomb = gzipSync(
      Buffer.concat([Buffer.from('<multistatus xmlns="DAV:">'), Buffer.alloc(100 * 2 ** 20, 32)]),
    );
    fake.handle = (_request, response) => response.writeHead(207, { 'content-encoding': 'gzip' }).end(bomb);
    expect((await failure(createTrial().runner.run())).code).toBe('too_large');
  });

  it.each([
    ['a private address', 'https://169.254.169.254/latest/', 'private_address'],
    ['loopback', 'https://127.0.0.1:1/', 'private_address'],
    ['plain HTTP', 'http://dav.test/', 'not_encrypted'],
    ['itself', '/work/', 'protocol'],
  ])('cannot redirect to %s', async (_name, location, code) => {
    fake.handle = (_request, response) => response.writeHead(301, { location }).end();
    const { context } = createTrial();
    const error = await failure(caldavSource.check(context));
    expect(error.code).toBe(code);
    expect(new Set(fake.lookups)).toEqual(new Set(['dav.test']));
  });

  it('cannot hold a run by never answering', async () => {
    fake.handle = () => {};
    expect((await failure(createTrial({ idleMs: 200 }).runner.run())).code).toBe('too_slow');
  });

  it('cannot lead the password to another host', async () => {
    serveCalendar({
      start: multistatus(
        resource(
          '/',
          '<current-user-principal><href>https://other.test/anna/</href></current-user-principal>',
        ),
      ),
    });
    const error = await failure(caldavSource.check(createTrial().context));
    expect([error.code, error.message]).toEqual(['protocol', expect.stringContaining('another server')]);
    expect(fake.lookups).not.toContain('other.test');
  });

  it('cannot make it fetch objects outside the calendar', async () => {
    const hrefs = [
      'https://other.test/work/a.ics',
      'http://169.254.169.254/',
      '/other/b.ics',
      '/work/../c.ics',
      '/work/sub/d.ics',
      '/work/%2e%2e/e.ics',
      'file:///etc/passwd',
    ];
    serveCalendar({
      list: multistatus(
        `${hrefs.map((href) => resource(href, '<getetag>1</getetag>')).join('')}<sync-token>1</sync-token>`,
      ),
    });
    const { runner } = createTrial();
    expect(await runner.run()).toMatchObject({ put: 0, problems: [] });
    expect(fake.seen.filter(({ body }) => body.includes('multiget'))).toEqual([]);
    expect(new Set(fake.lookups)).toEqual(new Set(['dav.test']));
  });

  it('is asked again for what it does not send, and cannot add what was not asked for', async () => {
    const list = multistatus(
      `${resource('/work/a.ics', '<getetag>1</getetag>')}${resource('/work/b.ics', '<getetag>1</getetag>')}<sync-token>1</sync-token>`,
    );
    const sent = (id: string) =>
      resource(`/work/${id}.ics`, `<getetag>1</getetag><calendar-data>${event(id)}</calendar-data>`);
    serveCalendar({ list, objects: multistatus(sent('a') + sent('z') + sent('a')) });
    const { runner } = createTrial();
    expect(await runner.run()).toMatchObject({ put: 1, problems: ['1 entries were not sent by the server'] });
    expect(runner.titles()).toEqual(['a']);
    serveCalendar({ list, objects: multistatus(sent('b')) });
    expect(await runner.run()).toMatchObject({ put: 1, problems: [] });
    expect(runner.titles()).toEqual(['a', 'b']);
  });

  it('loses nothing with half a list', async () => {
    const listed = (name: string) => resource(`/work/${name}.ics`, '<getetag>1</getetag>');
    const objects = multistatus(
      ['a', 'b']
        .map((id) => resource(`/work/${id}.ics`, `<calendar-data>${event(id)}</calendar-data>`))
        .join(''),
    );
    serveCalendar({ list: multistatus(listed('a') + listed('b')), objects });
    const { runner } = createTrial();
    await runner.run();
    expect(runner.titles()).toEqual(['a', 'b']);
    serveCalendar({ list: `<multistatus xmlns="DAV:">${listed('a')}`, objects });
    expect((await failure(runner.run())).code).toBe('protocol');
    expect(runner.titles()).toEqual(['a', 'b']);
  });

  it('reports an object that cannot be read, and keeps what was readable before', async () => {
    const list = (tag: string) => multistatus(resource('/work/a.ics', `<getetag>${tag}</getetag>`));
    const objects = (text: string) =>
      multistatus(resource('/work/a.ics', `<calendar-data>${text}</calendar-data>`));
    serveCalendar({ list: list('1'), objects: objects(event('a')) });
    const { runner } = createTrial();
    await runner.run();
    serveCalendar({ list: list('2'), objects: objects(event('a').replace(/DTSTART.*\n/, '')) });
    expect(await runner.run()).toMatchObject({ put: 0, problems: ['has no valid start'] });
    expect(runner.titles()).toEqual(['a']);
  });
});

describe('hosts that may receive the password', () => {
  it.each([
    ['https://dav.test/', 'https://dav.test/x', true],
    ['https://dav.test/', 'https://dav.test:8443/', true],
    ['https://dav.test/', 'https://cal.dav.test/', true],
    ['https://dav.test/', 'https://evildav.test/', false],
    ['https://dav.test/', 'https://test/', false],
    ['https://dav.test/', 'http://dav.test/', false],
    ['https://dav.test/', 'https://dav.test.evil.example/', false],
    ['https://dav.test/', 'https://u:p@dav.test:8443/', false],
    ['https://caldav.icloud.com/', 'https://p42-caldav.icloud.com/', true],
    ['https://caldav.icloud.com/', 'https://p42-caldav.icloud.com:443/', true],
    ['https://caldav.icloud.com/', 'https://icloud.com.evil.example/', false],
    ['https://dav.test/', 'https://p42-caldav.icloud.com/', false],
  ])('of %s: %s is %s', (own, other, expected) => {
    expect(isTrusted(new URL(own), new URL(other))).toBe(expected);
  });
});
