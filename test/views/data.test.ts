import { describe, expect, it } from 'vitest';
import { getGrant } from '../../src/grants/grant-store.ts';
import type { RecordsInput } from '../../src/views/records.ts';
import { canaryTerms, openCanaryWorld } from '../support/canary-world.ts';
import { createNotesWorld, note } from '../support/notes-source.ts';
import { createPages, readAudit } from '../support/servers/pages.ts';
import { useWorld } from '../support/use-world.ts';
import { createGeneratedWorld } from '../support/worlds/generated-world.ts';

const world = await useWorld(createNotesWorld({ timeZone: 'Europe/Berlin' }));
const views = createPages(world).views;

const list = (input: Partial<RecordsInput> = {}, as?: string) =>
  views.records({ connection_id: 'home', stream: 'notes', ...input }, as);

const is = (field: string, value: string) => ({ word: 'is' as const, field, value });

describe('the data page', () => {
  it('counts records per stream and month, with first and last time', async () => {
    const { connections, interval, periods, last_changes, viewing_as } = await views.data(undefined);
    expect(viewing_as).toBeNull();
    expect([interval, ...periods.map(({ name }) => name)]).toEqual([
      'month',
      '2026-01',
      '2026-02',
      '2026-03',
    ]);
    expect(connections).toMatchObject([
      {
        connection_id: 'home',
        name: 'Notes of home',
        connector_key: 'notes',
        records: 10,
        streams: [
          { stream: 'notes', records: 4, first: '2026-01-10', last: '2026-03-28', per_period: [1, 1, 2] },
          { stream: 'comments', records: 2, per_period: [2, 0, 0] },
          { stream: 'people', records: 1, first: null, last: null, per_period: [0, 0, 0] },
          { stream: 'codes', records: 3 },
        ],
      },
    ]);
    expect(last_changes['home/notes']).toBe('2026-11-01T00:00:00.000Z');
  });

  it('counts the months of a window, including partial days', async () => {
    const { grantId } = await world.grant([{ connection_id: 'home', stream: 'notes' }], {
      since: Date.parse('2026-01-10T09:31:00Z'),
      until: Date.parse('2026-03-28T00:15:00Z'),
    });
    const { connections, periods, last_changes } = await views.data(grantId);
    expect(periods.map(({ name }) => name)).toEqual(['2026-02', '2026-03']);
    expect(connections[0]?.streams).toMatchObject([{ stream: 'notes', records: 2, per_period: [1, 1] }]);
    expect(last_changes).toEqual({});
    const { grantId: picked } = await world.grant([
      { connection_id: 'home', stream: 'notes', keys: ['n1', 'n4'] },
    ]);
    expect((await views.data(picked)).connections[0]?.streams[0]?.per_period).toEqual([1, 0, 1]);
  });

  it('is recorded in the audit as a read by the owner', async () => {
    const { grantId } = await world.grant([{ connection_id: 'home' }]);
    await views.data(grantId);
    expect((await readAudit(world)).at(-1)).toMatchObject({
      client: 'owner',
      grant_id: null,
      surface: 'dashboard',
      tool: 'schema',
      tokens_out: 0,
    });
  });

  it('refuses to view as an app whose access has ended', async () => {
    const { grantId } = await world.grant([{ connection_id: 'home' }]);
    await createPages(world).changes.revoke(grantId);
    await expect(views.data(grantId)).rejects.toMatchObject({ code: 'grant_revoked' });
    await expect(views.data('grant_0')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('charts years when months do not fit, without hiding records', async () => {
    const days = ['2009-07-20', '2014-02-01', '2021-10-31', '2026-10-01', '2026-12-24', '2031-01-01'];
    const far = await createNotesWorld({
      notes: days.map((day, i) => note(`n${i}`, { created_at: `${day}T12:00:00Z` })),
    });
    const { interval, periods, connections } = await createPages(far).views.data(undefined);
    const notes = connections[0]?.streams[0];
    expect([interval, periods.length, periods[0]?.name]).toEqual(['year', 19, '2009']);
    const filled = periods.flatMap(({ name }, i) =>
      notes?.per_period[i] ? [[name, notes.per_period[i]]] : [],
    );
    expect(filled).toEqual([
      ['2009', 1],
      ['2014', 1],
      ['2021', 1],
      ['2026', 2],
      ['later', 1],
    ]);
    expect(notes).toMatchObject({ first: '2009-07-20', last: '2031-01-01', records: 6 });
    far.close();
  });

  it('links from a year to its months and to the next year with records', async () => {
    const far = await createNotesWorld({
      notes: ['2009-07-20', '2014-02-01', '2014-02-28', '2026-10-01'].map((day, i) =>
        note(`n${i}`, { created_at: `${day}T12:00:00Z` }),
      ),
    });
    const { data } = createPages(far).views;
    const year = await data(undefined, '2014');
    expect(year.period).toMatchObject({ name: '2014', previous: '2009', next: '2026' });
    expect(year.periods.map(({ name }) => name).slice(0, 2)).toEqual(['2014-01', '2014-02']);
    expect(year.connections[0]?.streams[0]?.per_period).toEqual([0, 2, ...new Array(10).fill(0)]);
    const month = await data(undefined, '2014-02');
    expect(month.period).toMatchObject({ previous: '2009-07', next: '2026-10' });
    expect(month.connections[0]?.streams[0]?.per_period).toEqual([2]);
    expect((await data(undefined, '2015')).period).toBeNull();
    far.close();
  });

  it('agrees with the counts of every stream of the demo', async () => {
    const demo = await createGeneratedWorld(1_500);
    const { connections } = await createPages(demo).views.data(undefined);
    const { n } = demo.store.write.raw.prepare('select count(*) as n from records').get() as { n: number };
    expect(connections.reduce((sum, one) => sum + one.records, 0)).toBe(n);
    demo.close();
  });
});

describe('the search on the data page', () => {
  it('finds what the search tool finds', async () => {
    const hits = await views.search({ query: 'ferry' }, undefined);
    const { structuredContent } = await world.call(world.token, 'search', { query: 'ferry', limit: 20 });
    expect(hits.results).toEqual(structuredContent.results);
    expect(hits.results.map((hit) => hit.id)).toEqual(['home/notes/n2', 'home/notes/n1']);
    expect(hits.results[0]?.text).toContain('<mark>ferry</mark>');
    expect(hits.streams).toEqual({ 'home/notes': 'notes' });
  });

  it('accepts any search text', async () => {
    for (const query of ['"', '\0', 'x'.repeat(5_000), '\ud83d', '*'])
      expect((await views.search({ query }, undefined)).results).toEqual([]);
  });
});

describe('the records of a stream', () => {
  it('are listed newest first, by their short fields', async () => {
    const { rows, columns, count, named_by, has_more } = await list();
    expect({ count, named_by, has_more }).toEqual({ count: 4, named_by: 'Title', has_more: false });
    expect(columns.map((column) => column.label)).toEqual([
      'Created',
      'Tags',
      'Stars',
      'Price',
      'Pinned',
      'Edited',
    ]);
    expect(rows.map((row) => row.name)).toEqual([
      'Taxes',
      'Nobody gave this one a name, but it speaks of a museum.',
      'Groceries',
      'Lisbon trip',
    ]);
    expect(rows[3]).toEqual({
      id: 'home/notes/n1',
      name: 'Lisbon trip',
      // The note has the id of who wrote it; a relation leads to the name.
      who: 'Ana Reis',
      said: 'Book the ferry to Cacilhas and the museum.',
      values: ['2026-01-10T09:30:00Z', ['travel', 'to do'], 5, 12.5, true, '2026-01-20T10:00:00+01:00'],
      amounts: [null, null, null, null, null, null],
    });
  });

  it('are filtered by part of a text, ignoring case', async () => {
    const has = (value: string) => list({ filters: [{ word: 'has', field: 'title', value }] });
    const found = await has(' LISB ');
    expect(found.rows.map(({ name }) => name)).toEqual(['Lisbon trip']);
    expect(found.filters).toMatchObject([{ word: 'has', shown: ' LISB ' }]);
    expect((await has('nowhere')).count).toBe(0);
    // Of a number nothing can be a part.
    expect((await list({ filters: [{ word: 'has', field: 'stars', value: '5' }] })).count).toBe(1);
  });

  it('offer existing values as filters, and no empty field', async () => {
    const authors = ['ana', 'Bo', 'ana', 'Bo', 'ana', 'Bo', 'evil\u202e', 'evil\u202e'];
    const small = await createNotesWorld({
      notes: authors.map((author, i) => note(`n${i}`, { author, title: `Title ${i}` })),
    });
    const { records } = createPages(small).views;
    const { choices, columns } = await records({ connection_id: 'home', stream: 'notes' }, undefined);
    const find = (name: string) => choices.find(({ field }) => field === name);
    // One of the names looks like something else than it is, so the list would not be all there are.
    expect(find('author')).toMatchObject({ values: null, suggested: ['Bo', 'ana'] });
    expect(find('title')).toMatchObject({ values: null });
    expect(find('title')?.suggested).toHaveLength(8);
    for (const name of ['secret', 'stars', 'price', 'pinned', 'due', 'edited_at']) {
      expect([name, find(name)]).toEqual([name, undefined]);
      expect(columns.map((column) => column.name)).not.toContain(name);
    }
    await small.ingest('home', 'notes', [
      note('n6', { author: 'ana' }),
      note('n7', { author: 'ana', stars: 4 }),
    ]);
    const later = await records({ connection_id: 'home', stream: 'notes' }, undefined);
    expect(later.choices.find(({ field }) => field === 'author')?.values).toEqual(['Bo', 'ana']);
    expect(later.columns.map(({ name }) => name)).toContain('stars');
    small.close();
  });

  it('can be sorted, searched and narrowed to one value', async () => {
    expect((await list({ sort: 'stars' })).rows.map((row) => row.id)).toEqual([
      'home/notes/n4',
      'home/notes/n2',
      'home/notes/n3',
      'home/notes/n1',
    ]);
    const found = await list({ q: 'museum' });
    expect(found.hits?.results.map((hit) => hit.id)).toEqual(['home/notes/n1', 'home/notes/n3']);
    expect(found.rows).toEqual([]);
    const narrowed = await list({ stream: 'comments', filters: [is('note_id', 'n1')] });
    expect(narrowed).toMatchObject({ count: 2, filters: [{ field: 'note_id', value: 'n1' }] });
    expect((await list({ filters: [is('stars', '5')] })).count).toBe(1);
    expect((await list({ filters: [is('pinned', 'true')] })).count).toBe(1);
    await expect(list({ filters: [is('body', 'x')] })).rejects.toMatchObject({ code: 'unsupported_field' });
    await expect(list({ sort: 'nothing' })).rejects.toMatchObject({ code: 'unknown_field' });
  });

  it('are paged', async () => {
    const many = await createNotesWorld({
      notes: Array.from({ length: 120 }, (_, i) => note(`n${i}`, { title: `Note ${i}` })),
    });
    const { views: pages } = createPages(many);
    const read = (cursor: string | null, sort?: string) =>
      pages.records({ connection_id: 'home', stream: 'notes', cursor: cursor ?? undefined, sort }, undefined);
    for (const sort of [undefined, 'title', '-stars']) {
      const leaves = [await read(null, sort)];
      for (let next = leaves[0]?.next_cursor; next; next = leaves.at(-1)?.next_cursor)
        leaves.push(await read(next, sort));
      expect(leaves.map(({ rows, count }) => [rows.length, count])).toEqual([
        ...Array.from({ length: 4 }, () => [25, 120]),
        [20, 120],
      ]);
      expect(new Set(leaves.flatMap(({ rows }) => rows.map(({ id }) => id))).size).toBe(120);
      // The way back shows the same leaves, and the first has none before it.
      const middle = await read(leaves[2]?.previous_cursor ?? null, sort);
      expect(middle.rows).toEqual(leaves[1]?.rows);
      const first = await read(middle.previous_cursor, sort);
      expect(first.rows).toEqual(leaves[0]?.rows);
      expect([first.previous_cursor, leaves[0]?.previous_cursor]).toEqual([null, null]);
      expect((await read(first.next_cursor, sort)).rows).toEqual(leaves[1]?.rows);
    }
    many.close();
  });

  it('of an unknown stream are not found', async () => {
    for (const input of [{ stream: 'nothing' }, { connection_id: 'nowhere' }])
      await expect(list(input)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('use the short view that the publisher declares', async () => {
    const demo = await createGeneratedWorld(1_200);
    const { views: pages } = createPages(demo);
    const { connections } = await pages.data(undefined);
    for (const { connection_id, streams } of connections) {
      for (const { stream, records } of streams) {
        const page = await pages.records({ connection_id, stream }, undefined);
        expect(page.count).toBe(records);
        expect(page.columns.length, `${connection_id}/${stream}`).toBeGreaterThan(0);
      }
    }
    demo.close();
  });
});

describe('viewing as an app', () => {
  it('shows nothing outside its grant', async () => {
    const canary = await openCanaryWorld();
    const { views: pages } = createPages(canary);
    const grant_id = (await pages.data(undefined)).apps[0]?.grant_id as string;
    expect((await getGrant(canary.store.read, grant_id)).streams).toEqual([canaryTerms]);
    const seen = JSON.stringify([
      await pages.data(grant_id),
      await pages.search({ query: 'lantern' }, grant_id),
      await pages.search({ query: 'canary' }, grant_id),
      await pages.records({ connection_id: 'post_home', stream: 'letters' }, grant_id),
      await pages.records({ connection_id: 'post_home', stream: 'letters', q: 'lantern' }, grant_id),
      await pages.record('post_home/letters/seen-1', grant_id),
    ]);
    expect(seen).toContain('lantern one');
    // The words of the query are echoed; nothing else may say it.
    expect(seen.replaceAll('"query":"canary"', '')).not.toMatch(
      /canary|folder|body|post_work|log_main|boxes/,
    );
    // The same through the owner's eyes shows that the canaries were there to be seen.
    expect(JSON.stringify(await pages.record('post_home/letters/seen-1', undefined))).toContain(
      'canary body',
    );
    canary.close();
  });

  it.each([
    'post_home/letters/unseen-key',
    'post_home/letters/seen-early',
    'post_home/letters/seen-timeless',
    'post_home/boxes/box-1',
    'post_work/letters/seen-1',
    'log_main/entries/seen-1',
  ])('does not find %s', async (id) => {
    const canary = await openCanaryWorld();
    const { views: pages } = createPages(canary);
    const grant_id = (await pages.data(undefined)).apps[0]?.grant_id as string;
    for (const suffix of ['', '.md', '.json'])
      await expect(pages.record(`${id}${suffix}`, grant_id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(pages.record(id, undefined)).resolves.toMatchObject({ id });
    canary.close();
  });

  it('shows neither ungranted streams nor ungranted fields', async () => {
    const canary = await openCanaryWorld();
    const { views: pages } = createPages(canary);
    const grant_id = (await pages.data(undefined)).apps[0]?.grant_id as string;
    const look = (input: RecordsInput) => pages.records(input, grant_id);
    for (const [connection_id, stream] of [
      ['post_home', 'boxes'],
      ['post_work', 'letters'],
      ['log_main', 'entries'],
    ] as const)
      await expect(look({ connection_id, stream })).rejects.toMatchObject({ code: 'not_found' });
    const letters = { connection_id: 'post_home', stream: 'letters' };
    await expect(look({ ...letters, sort: 'folder' })).rejects.toMatchObject({ code: 'unknown_field' });
    await expect(look({ ...letters, filters: [is('folder', 'canary folder')] })).rejects.toMatchObject({
      code: 'unknown_field',
    });
    canary.close();
  });
});
