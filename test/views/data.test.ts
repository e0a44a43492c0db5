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
  it('counts records per stream and month, and says from when to when', async () => {
    const { connections, months, last_changes, viewing_as } = await views.data(undefined);
    expect(viewing_as).toBeNull();
    expect(months).toEqual(['2026-01', '2026-02', '2026-03']);
    expect(connections).toMatchObject([
      {
        connection_id: 'home',
        name: 'Notes of home',
        connector_key: 'notes',
        records: 10,
        streams: [
          { stream: 'notes', records: 4, first: '2026-01-10', last: '2026-03-28', per_month: [1, 1, 2] },
          { stream: 'comments', records: 2, per_month: [2, 0, 0] },
          { stream: 'people', records: 1, first: null, last: null, per_month: [0, 0, 0] },
          { stream: 'codes', records: 3 },
        ],
      },
    ]);
    expect(last_changes['home/notes']).toBe('2026-11-01T00:00:00.000Z');
  });

  it('counts the months of a window, also where it cuts a day', async () => {
    const { grantId } = await world.grant([{ connection_id: 'home', stream: 'notes' }], {
      since: Date.parse('2026-01-10T09:31:00Z'),
      until: Date.parse('2026-03-28T00:15:00Z'),
    });
    const { connections, months, last_changes } = await views.data(grantId);
    expect(months).toEqual(['2026-02', '2026-03']);
    expect(connections[0]?.streams).toMatchObject([{ stream: 'notes', records: 2, per_month: [1, 1] }]);
    expect(last_changes).toEqual({});
    const { grantId: picked } = await world.grant([
      { connection_id: 'home', stream: 'notes', keys: ['n1', 'n4'] },
    ]);
    expect((await views.data(picked)).connections[0]?.streams[0]?.per_month).toEqual([1, 0, 1]);
  });

  it('is told to the audit as a look of the owner', async () => {
    const { grantId } = await world.grant([{ connection_id: 'home' }]);
    await views.data(grantId);
    expect(readAudit(world).at(-1)).toMatchObject({
      client: 'owner',
      grant_id: null,
      surface: 'dashboard',
      tool: 'schema',
      tokens_out: 0,
    });
  });

  it('does not look as an app whose access has ended', async () => {
    const { grantId } = await world.grant([{ connection_id: 'home' }]);
    await createPages(world).changes.revoke(grantId);
    await expect(views.data(grantId)).rejects.toMatchObject({ code: 'grant_revoked' });
    await expect(views.data('grant_0')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('plots five years at most, and not the future', async () => {
    const far = await createNotesWorld({
      notes: ['1969-07-20', '2021-10-31', '2021-12-01', '2026-10-01', '2031-01-01'].map((day, i) =>
        note(`n${i}`, { created_at: `${day}T12:00:00Z` }),
      ),
    });
    const { months, connections } = await createPages(far).views.data(undefined);
    expect([months.length, months[0], months.at(-1)]).toEqual([59, '2021-12', '2026-10']);
    expect(connections[0]?.streams[0]).toMatchObject({ first: '1969-07-20', last: '2031-01-01', records: 5 });
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
    const hits = await views.search('ferry', undefined, undefined);
    const { structuredContent } = await world.call(world.token, 'search', { query: 'ferry', limit: 20 });
    expect(hits.results).toEqual(structuredContent.results);
    expect(hits.results.map((hit) => hit.id)).toEqual(['home/notes/n2', 'home/notes/n1']);
    expect(hits.results[0]?.text).toContain('<mark>ferry</mark>');
    expect(hits.streams).toEqual({ 'home/notes': 'notes' });
  });

  it('takes any words at all', async () => {
    for (const query of ['"', '\0', 'x'.repeat(5_000), '\ud83d', '*'])
      expect((await views.search(query, undefined, undefined)).results).toEqual([]);
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

  it('come in pages', async () => {
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

  it('of a stream that is not there are not found', async () => {
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

describe('looking as an app', () => {
  it('shows nothing outside its grant', async () => {
    const canary = await openCanaryWorld();
    const { views: pages } = createPages(canary);
    const grant_id = (await pages.data(undefined)).apps[0]?.grant_id as string;
    expect((await getGrant(canary.store.read, grant_id)).streams).toEqual([canaryTerms]);
    const seen = JSON.stringify([
      await pages.data(grant_id),
      await pages.search('lantern', undefined, grant_id),
      await pages.search('canary', undefined, grant_id),
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

  it('knows neither ungranted streams nor ungranted fields', async () => {
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
