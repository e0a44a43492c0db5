import { describe, expect, it } from 'vitest';
import { feedSource } from '../../../src/accounts/feed/feed-source.ts';
import { SyncError } from '../../../src/accounts/sync-source.ts';
import { calendarImporter } from '../../../src/sources/calendar/calendar-importer.ts';
import { collect, makeInputFile } from '../../support/input-file.ts';
import { useFakeServer, writeForever } from '../support/fake-server.ts';
import { createContext, createTestRunner } from '../support/test-runner.ts';

const fake = useFakeServer();

function createTrial(path: string, more: Record<string, unknown> = {}) {
  const settings = feedSource.parseSettings({ url: `${fake.url}${path}`, ...more });
  const context = createContext({
    settings,
    network: fake.createNetwork(),
    now: () => new Date('2026-06-01T00:00:00Z'),
  });
  return { context, runner: createTestRunner(feedSource, context) };
}

/** Serves a text with a version, and answers 304 to those who have it. */
function serve(text: string, etag: string): void {
  fake.handle = ({ headers }, response) => {
    if (headers['if-none-match'] === etag) response.writeHead(304).end();
    else response.writeHead(200, { etag }).end(text);
  };
}

async function failure(work: Promise<unknown>): Promise<SyncError> {
  const error = await work.then(
    () => expect.fail('it did not fail'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(SyncError);
  return error as SyncError;
}

const RSS = `<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>Tea &amp;amp; News</title><link>https://tea.test</link><image><title>Logo</title></image>
<item><title>One &amp;lt;two</title><link>https://tea.test/1</link><guid isPermaLink="false">id-1</guid><pubDate>Tue, 05 May 2026 10:00:00 +0200</pubDate><dc:creator>Ann</dc:creator><category>tea</category><category>tea</category><description>short</description><content:encoded><![CDATA[<p>Long <b>text</b></p><script>x()</script>]]></content:encoded><enclosure url="https://tea.test/1.mp3" type="audio/mpeg"/></item>
<item><title>Two</title><link>https://tea.test/2</link><author>bob@tea.test (Bob)</author></item></channel></rss>`;
const ATOM = `<feed xmlns="http://www.w3.org/2005/Atom"><title>Log</title><entry><id>urn:1</id><title type="html">A &lt;i&gt;b&lt;/i&gt;</title><link rel="self" href="https://log.test/x"/><link href="https://log.test/1"/><author><name>Cem</name><email>c@log.test</email></author><published>2026-05-01T00:00:00Z</published><updated>2026-05-02T00:00:00Z</updated><category term="t"/><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Hello</p></div></content></entry></feed>`;
const JSON_FEED = JSON.stringify({
  version: 'https://jsonfeed.org/version/1.1',
  title: 'J',
  items: [
    {
      id: 7,
      url: 'https://j.test/7',
      title: 'Seven',
      content_text: 'a < b & c\nd',
      authors: [{ name: 'Dee' }],
      date_published: '2026-05-03T00:00:00Z',
      tags: ['x'],
    },
  ],
});

describe('a feed of news', () => {
  it('reads RSS', async () => {
    serve(RSS, '"1"');
    const { context, runner } = createTrial('rss');
    expect((await feedSource.check(context)).account).toMatch(/^Tea &amp; News \(dav\.test/);
    await runner.run();
    expect(runner.records('entries')).toEqual([
      {
        id: 'id-1',
        title: 'One <two',
        url: 'https://tea.test/1',
        author: 'Ann',
        published_at: '2026-05-05T08:00:00Z',
        text: 'Long text',
        categories: ['tea'],
        media_url: 'https://tea.test/1.mp3',
        feed: 'Tea & News',
      },
      {
        id: 'https://tea.test/2',
        title: 'Two',
        url: 'https://tea.test/2',
        author: 'Bob',
        feed: 'Tea & News',
      },
    ]);
  });

  it('reads Atom and JSON Feed', async () => {
    serve(ATOM, '"1"');
    const atom = createTrial('atom').runner;
    await atom.run();
    expect(atom.records('entries')).toEqual([
      {
        id: 'urn:1',
        title: 'A b',
        url: 'https://log.test/1',
        author: 'Cem',
        published_at: '2026-05-01T00:00:00Z',
        updated_at: '2026-05-02T00:00:00Z',
        text: 'Hello',
        categories: ['t'],
        feed: 'Log',
      },
    ]);
    serve(JSON_FEED, '"1"');
    const json = createTrial('json').runner;
    await json.run();
    expect(json.records('entries')).toEqual([
      expect.objectContaining({
        id: '7',
        author: 'Dee',
        text: 'a < b & c\nd',
        published_at: '2026-05-03T00:00:00Z',
      }),
    ]);
  });

  it('keeps entries that leave the feed, and downloads only changes', async () => {
    serve(RSS, '"1"');
    const { runner } = createTrial('rss');
    await runner.run();
    await runner.run();
    serve(RSS.replace(/<item>[\s\S]*?<\/item>/, ''), '"2"');
    await runner.run();
    expect(runner.titles()).toEqual(['One <two', 'Two']);
    expect(fake.seen.map(({ request }) => request)).toEqual(['GET /rss', 'GET /rss', 'GET /rss']);
  });
});

describe('a calendar address', () => {
  const event = (uid: string, start: string, more = '') =>
    `BEGIN:VEVENT\r\nUID:${uid}\r\nDTSTART:${start}\r\nSUMMARY:${uid}\r\n${more}END:VEVENT\r\n`;
  const calendar = (...events: string[]) =>
    `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nX-WR-CALNAME:Club\r\n${events.join('')}END:VCALENDAR\r\n`;
  const past = event('past', '20260101T100000Z');
  const future = event('future', '20260701T100000Z');
  const weekly = event('weekly', '20260101T100000Z', 'RRULE:FREQ=WEEKLY\r\n');
  const ended = event('ended', '20260101T100000Z', 'RRULE:FREQ=WEEKLY;COUNT=3\r\n');

  it('stores what an import would, and deletes only what is still to come', async () => {
    const whole = calendar(past, future, weekly, ended);
    serve(whole, '"1"');
    const { context, runner } = createTrial('club.ics');
    expect((await feedSource.check(context)).account).toMatch(/^Club \(/);
    expect((await runner.run()).put).toBe(4);
    const imported = await collect(calendarImporter, [makeInputFile('club.ics', whole)]);
    expect(runner.records('events')).toEqual(imported.records.events);
    serve(calendar(future.replace('SUMMARY:future', 'SUMMARY:moved')), '"2"');
    expect(await runner.run()).toMatchObject({ put: 1, removed: 1 });
    expect(runner.titles()).toEqual(['ended', 'moved', 'past']);
    serve(calendar(), '"3"');
    await runner.run();
    expect(runner.titles()).toEqual(['ended', 'past']);
  });

  it('deletes nothing when the download was cut off', async () => {
    serve(calendar(past, future), '"1"');
    const { runner } = createTrial('club.ics');
    await runner.run();
    serve(calendar(past).replace('END:VCALENDAR\r\n', ''), '"2"');
    await runner.run();
    expect(runner.titles()).toEqual(['future', 'past']);
  });

  it('takes a secret address, and names a wrong kind of content', async () => {
    serve(calendar(past), '"1"');
    const { context } = createTrial('news');
    expect((await failure(feedSource.check(context))).message).toBe('The address is a calendar.');
    const secret = `${fake.url.replace('https', 'webcal')}private/basic.ics`;
    const check = await feedSource.check({ ...context, settings: feedSource.parseSettings({}), secret });
    expect(check.account).not.toContain('basic');
    serve('<html><body>Sign in</body></html>', '"1"');
    expect((await failure(feedSource.check(context))).message).toContain('neither');
  });
});

describe('a hostile feed server', () => {
  it.each([
    ['an endless feed', '<rss><channel>', '<item><title>x</title></item>'],
    ['an endless calendar', 'BEGIN:VCALENDAR\r\n', 'BEGIN:VEVENT\r\nUID:a\r\n'],
  ])('ends with %s', async (_name, head, piece) => {
    fake.handle = (_request, response) => {
      response.writeHead(200).write(head);
      writeForever(response, piece.repeat(500));
    };
    expect((await failure(createTrial('feed').runner.run())).code).toBe('too_large');
  });

  it('cannot expand entities or redirect to a private address', async () => {
    serve(
      `<!DOCTYPE rss [<!ENTITY a "${'x'.repeat(1_000)}"><!ENTITY b "${'&a;'.repeat(1_000)}">]><rss><channel><title>T</title><item><guid>1</guid><title>${'&b;'.repeat(1_000)}</title></item></channel></rss>`,
      '"1"',
    );
    const { runner } = createTrial('rss');
    await runner.run();
    expect(JSON.stringify(runner.records('entries')).length).toBeLessThan(5_000);
    for (const location of ['https://192.168.1.1/', 'https://169.254.169.254/', 'http://dav.test/']) {
      fake.handle = (_request, response) => response.writeHead(302, { location }).end();
      expect(['private_address', 'not_encrypted']).toContain(
        (await failure(createTrial('rss').runner.run())).code,
      );
    }
  });
});
