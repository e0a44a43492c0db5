import { describe, expect, it } from 'vitest';
import { openCanaryWorld } from '../support/canary-world.ts';
import { createNotesWorld, note, smallNotes } from '../support/notes-source.ts';
import { createPageApp } from '../support/servers/pages.ts';
import { useWorld } from '../support/use-world.ts';
import { expectInert, SCRIPT, TURNED } from './hostile-pages.ts';

const world = await useWorld(createNotesWorld({ timeZone: 'Europe/Berlin' }));
await world.ingest('home', 'notes', [
  ...smallNotes,
  note('evil', {
    title: SCRIPT + TURNED,
    body: `ferry ${SCRIPT}<mark>x</mark>`,
    author: SCRIPT,
    tags: [SCRIPT],
  }),
]);
const pages = createPageApp(world);
const { grantId } = await world.grant([{ connection_id: 'home', stream: 'notes', fields: ['title'] }]);

describe('/dashboard/data', () => {
  it('lists connections and streams', async () => {
    const { text } = await pages.get('/dashboard/data');
    expect(text).toContain('11 records in 4 streams of 1 connection.');
    expect(text).toContain('<a href="/dashboard/data/home/notes">notes</a>');
    expect(text).toContain('10 Jan 2026 – 28 Mar 2026');
    expect(text).toContain('Records per month');
    expectInert(text);
  });

  it('links bars to months in the time zone of the owner, and the lists agree', async () => {
    const berlin = await createNotesWorld({
      timeZone: 'Europe/Berlin',
      notes: [
        note('early', { created_at: '2026-02-28T22:59:00Z' }),
        // The first of March where the owner is.
        note('late', { created_at: '2026-02-28T23:01:00Z' }),
        note('last', { created_at: '2026-03-31T21:59:00Z' }),
        // The clocks have changed by then.
        note('april', { created_at: '2026-03-31T22:00:00Z' }),
      ],
    });
    const { get } = createPageApp(berlin);
    const { text } = await get('/dashboard/data');
    const bars = [...text.matchAll(/<a href="([^"]*period=[^"]*)" aria-label="([^"]*)"/g)];
    expect(bars.map(([, href, label]) => [href, label])).toEqual([
      ['/dashboard/data?period=2026-02', 'Feb 2026: 1 record'],
      ['/dashboard/data?period=2026-03', 'Mar 2026: 2 records'],
      ['/dashboard/data?period=2026-04', 'Apr 2026: 1 record'],
    ]);
    const month = await get('/dashboard/data?period=2026-03');
    expect(month.text).toContain('2 records in 1 stream of 1 connection.');
    expect(month.text).toContain('rel="prev" href="/dashboard/data?period=2026-02"');
    const [, list] = /<a href="(\/dashboard\/data\/home\/notes\?[^"]*)"/.exec(month.text) ?? [];
    const shown = (await get((list ?? '').replaceAll('&amp;', '&'))).text;
    expect(shown).toContain('2 records');
    expect([...shown.matchAll(/href="\/r\/home\/notes\/(\w+)"/g)].map(([, key]) => key)).toEqual([
      'last',
      'late',
    ]);
    expect((await get('/dashboard/data?month=2026-03')).text).toBe(month.text);
    expect((await get('/dashboard/data?period=1999-01')).text).toContain('Records per month');
    berlin.close();
  });

  it('searches as the search tool does', async () => {
    const { text } = await pages.get('/dashboard/data?q=ferry');
    expect(text).toContain('<a href="/r/home/notes/n1">Lisbon trip</a>');
    expect(text).toContain('<mark>ferry</mark>');
    expectInert(text);
    expect((await pages.get('/dashboard/data?q=nowhereatall')).text).toContain('Nothing found');
    const also = await pages.get('/dashboard/data?q=nowhereatall&also=zzz%2C+ferry');
    expect(also.text).toContain('<mark>ferry</mark>');
    expect(also.text).toContain('value="zzz, ferry"');
    expectInert((await pages.get(`/dashboard/data?q=${encodeURIComponent(SCRIPT + TURNED)}`)).text);
  });

  it('shows date and source of results, and sorts by time', async () => {
    const { text } = await pages.get('/dashboard/data?q=ferry');
    expect(text).toMatch(/Notes of home<\/span> notes · \d+ \w+ 2026, \d\d:\d\d/);
    const order = async (sort: string) => {
      const page = await pages.get(`/dashboard/data.json?q=ferry&sort=${sort}`);
      return JSON.parse(page.text).results.map((hit: { time?: string }) => hit.time?.slice(0, 10) ?? null);
    };
    const [newest, oldest] = [await order('newest'), await order('oldest')];
    const dated = newest.filter((time: string | null) => time !== null);
    expect(dated.length).toBeGreaterThan(1);
    expect(dated).toEqual(dated.toSorted().reverse());
    expect(oldest.filter((time: string | null) => time !== null)).toEqual(dated.toReversed());
    expect(newest.slice(dated.length).every((time: string | null) => time === null)).toBe(true);
    const sorted = await pages.get('/dashboard/data?q=ferry&sort=newest');
    expect(sorted.text).toMatch(/href="\/dashboard\/data\?q=ferry&amp;sort=newest" aria-current="true"/);
  });

  it('returns the same data as JSON', async () => {
    expect(JSON.parse((await pages.get('/dashboard/data.json')).text)).toMatchObject({
      interval: 'month',
      periods: [{ name: '2026-01', from: '2026-01', to: '2026-02' }, {}, {}],
    });
    expect(JSON.parse((await pages.get('/dashboard/data.json?q=ferry')).text).results).toHaveLength(3);
    expect(JSON.parse((await pages.get('/dashboard/data/home/notes.json')).text)).toMatchObject({ count: 5 });
  });

  it('views as an app and stays in that view', async () => {
    const { text } = await pages.get(`/dashboard/data?as=${grantId}`);
    expect(text).toContain('You are viewing the data that <b>Test app (since 2026-11-16)</b> can read');
    expect(text).toContain(`href="/dashboard/data/home/notes?as=${grantId}"`);
    expect(text).not.toContain('comments');
    const list = await pages.get(`/dashboard/data/home/notes?as=${grantId}`);
    expect(list.text).toContain(`href="/r/home/notes/n1?as=${grantId}"`);
    expect(list.text).not.toContain('author');
    const record = await pages.get(`/r/home/notes/n1?as=${grantId}`);
    expect(record.text).toContain('Lisbon trip');
    expect(record.text).not.toMatch(/secret|under the mat/);
    expect((await pages.get(`/dashboard/data/home/comments?as=${grantId}`)).status).toBe(404);
    expect((await pages.get('/dashboard/data?as=grant_0')).status).toBe(404);
  });

  it('shows an app nothing outside its grant', async () => {
    const canary = await openCanaryWorld();
    const look = createPageApp(canary);
    const { apps } = JSON.parse((await look.get('/dashboard/data.json')).text);
    const as = `as=${apps[0].grant_id}`;
    for (const path of [
      `/dashboard/data?${as}`,
      `/dashboard/data?${as}&q=lantern`,
      `/dashboard/data/post_home/letters?${as}`,
      `/dashboard/data/post_home/letters?${as}&q=lantern`,
      `/dashboard/data/post_home/letters?${as}&sort=-size`,
      `/r/post_home/letters/seen-1?${as}`,
      `/r/post_home/letters/seen-1.md?${as}`,
      `/r/post_home/letters/seen-1.json?${as}`,
    ]) {
      const { status, text } = await look.get(path);
      expect([path, status]).toEqual([path, 200]);
      expect(text).not.toMatch(/canary|folder|post_work|log_main|Post at work|boxes/);
      if (!path.startsWith(`/dashboard/data?${as}`))
        expect(text.replaceAll(/<\/?mark>/g, '')).toContain('lantern one');
    }
    canary.close();
  });
});

describe('/dashboard/data/{connection}/{stream}', () => {
  it('lists records with links, times in the time zone of the owner, and sorting', async () => {
    const { text } = await pages.get('/dashboard/data/home/notes');
    expect(text).toContain('<a href="/r/home/notes/n2">Groceries</a>');
    expect(text).toContain('14 Feb 2026, 19:00');
    expect(text).toContain('href="/dashboard/data/home/notes?sort=-stars"');
    expectInert(text);
    const sorted = await pages.get('/dashboard/data/home/notes?sort=-stars');
    expect(sorted.text).toContain('aria-sort="descending"');
    expect(sorted.text).toContain('href="/dashboard/data/home/notes?sort=stars"');
  });

  it('shows the records that have one value', async () => {
    const { text } = await pages.get('/dashboard/data/home/comments?is:note_id=n1');
    expect(text).toContain('2 records');
    expect(text).toContain('Clear filters');
  });

  it('offers a filter for every filterable field and keeps the choice', async () => {
    const { text } = await pages.get('/dashboard/data/home/notes');
    for (const name of ['has:author', 'is:pinned', 'is:tags', 'from:stars', 'to:price', 'from:created_at'])
      expect(text).toContain(`name="${name}"`);
    expect(text).not.toMatch(/name="(is|has):body"/);
    expect(text).toMatch(/<datalist id="values-author"><option value="ana">/);
    const path =
      '/dashboard/data/home/notes?sort=-stars&from:stars=2&to:created_at=2026-02-28&is:pinned=&is:author=';
    const narrowed = await pages.get(path);
    expect(narrowed.text).toContain('2 records');
    expect(narrowed.text).toContain('Stars from <b>2</b>');
    expect(narrowed.text).toContain('Created up to <b>2026-02-28</b>');
    expect(narrowed.text).toContain('name="sort" value="-stars"');
    // Taking one away keeps the rest, and so does sorting.
    expect(narrowed.text).toContain('href="/dashboard/data/home/notes?sort=-stars&amp;from%3Astars=2"');
    expect(narrowed.text).toContain(
      'href="/dashboard/data/home/notes?sort=stars&amp;from%3Astars=2&amp;to%3Acreated_at=2026-02-28"',
    );
    expect((await pages.get('/dashboard/data/home/notes?from:stars=many')).status).toBe(400);
    expectInert((await pages.get(`/dashboard/data/home/notes?is:author=${encodeURIComponent(SCRIPT)}`)).text);
  });

  it('returns CSV with the same filter and order, every field and no formula', async () => {
    const { text, headers } = await pages.get(
      '/dashboard/data/home/notes.csv?sort=-stars&from:stars=2&cursor=x',
    );
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename="home-notes.csv"');
    const [head, first, ...rest] = text.trimEnd().split('\r\n');
    expect(head).toBe('id,title,body,author,tags,stars,price,pinned,created_at,edited_at,due,place,secret');
    expect(first).toMatch(
      /^n1,Lisbon trip,Book the ferry to Cacilhas and the museum\.,ana,travel to do,5,12\.5,true,/,
    );
    expect(rest).toHaveLength(2);
    const narrow = await pages.get(`/dashboard/data/home/notes.csv?as=${grantId}`);
    expect(narrow.text.split('\r\n')[0]).toBe('id,title,created_at');
    expect(narrow.text).not.toMatch(/ferry|under the mat/);
    expect((await pages.get('/dashboard/data/home/nothing.csv')).status).toBe(404);
    expect((await pages.get('/dashboard/data/home/notes.csv?sort=nothing')).status).toBe(400);
  });

  it('searches within the stream', async () => {
    const { text } = await pages.get('/dashboard/data/home/notes?q=ferry&as=');
    expect(text).toContain('<mark>ferry</mark>');
    expectInert(text);
  });

  it('refuses unknown names', async () => {
    for (const path of ['home/nothing', 'nowhere/notes', '%00/%00', 'home/notes.md'])
      expect((await pages.get(`/dashboard/data/${path}`)).status).toBe(404);
    expect((await pages.get('/dashboard/data/home/notes?cursor=x')).status).toBe(400);
  });
});
