import { describe, expect, it } from 'vitest';
import { gmailDeclaration } from '../../src/sources/gmail/gmail-declaration.ts';
import { googleCalendarDeclaration } from '../../src/sources/google-calendar/google-calendar-declaration.ts';
import { whatsappDeclaration } from '../../src/sources/whatsapp/whatsapp-declaration.ts';
import { readAnswer, readRefusal } from '../support/answers.ts';
import { createNotesWorld, note } from '../support/notes-source.ts';
import { useWorld } from '../support/use-world.ts';

const LETTER =
  'Dear all, the orchard at the end of the lane will be sold in the spring, and whoever wants a tree should say so.';
const LONG = `The valley was quiet. ${'It rained on the hills and on the road. '.repeat(30)}`;

const world = await useWorld(
  createNotesWorld({
    connections: ['home', 'work'],
    timeZone: 'Europe/Berlin',
    notes: [
      note('n1', { title: 'Orchard', body: LETTER, author: 'p1' }),
      note('n2', { title: 'Orchard', body: LETTER, author: 'p1' }),
      note('n3', { title: 'Orchard', body: LETTER, author: 'p2', created_at: '2026-03-02T12:00:00Z' }),
      note('n4', { title: 'Zeppelin', body: LONG, author: 'nobody' }),
      note('n5', { title: 'Two coffees', body: 'Kaffeehaus' }),
      note('n6', { title: 'Two coffees', body: 'Kaffeehaus' }),
      note('n7', { body: 'A velvet curtain', secret: 'velour', created_at: '2026-05-10T22:30:00Z' }),
    ],
  }),
);
await world.ingest('home', 'people', [
  { key: 'p1', data: { id: 'p1', name: 'Ana <b>Lima</b>', born: 1980 } },
]);
await world.ingest('work', 'notes', [note('w1', { title: 'Orchard', body: LETTER })]);

const search = async (query: string, args: object = {}) =>
  readAnswer(await world.call(world.token, 'search', { query, ...args }));

describe('a hit of search', () => {
  it('has its copies folded into it, with their ids', async () => {
    const { results } = await search('orchard');
    const [first, second] = results;
    expect(results).toHaveLength(2);
    expect(first.id).toBe('home/notes/n3');
    expect([second.id, ...second.copies]).toEqual(['home/notes/n1', 'home/notes/n2', 'work/notes/w1']);
    expect(first).not.toHaveProperty('copies');
  });

  it('continues after the copies on the next page', async () => {
    const first = await search('orchard', { limit: 1 });
    const second = await search('orchard', { limit: 1, cursor: first.next_cursor });
    expect([first.results[0].id, second.results[0].id]).toEqual(['home/notes/n3', 'home/notes/n1']);
    expect(second.results[0].copies).toEqual(['home/notes/n2', 'work/notes/w1']);
    expect(second.has_more).toBe(false);
  });

  it('is not folded if the text is too short to be a copy', async () => {
    expect((await search('kaffeehaus')).results).toHaveLength(2);
  });

  it('counts no copies that the app may not read', async () => {
    const { token } = await world.grant([{ connection_id: 'home', stream: 'notes', keys: ['n1', 'n3'] }]);
    const { results } = readAnswer(await world.call(token, 'search', { query: 'orchard' }));
    expect(results.map((hit: { id: string; copies?: string[] }) => [hit.id, hit.copies])).toEqual([
      ['home/notes/n3', undefined],
      ['home/notes/n1', undefined],
    ]);
  });

  it('shows its author: names under the relation, ids under their field', async () => {
    const { results } = await search('orchard');
    expect(results.map((hit: { who?: object }) => hit.who)).toEqual([
      { author: 'p2' },
      { author: 'p1', writer: 'Ana <b>Lima</b>' },
    ]);
  });

  it('shows the author only from fields and records that the app may read', async () => {
    const who = async (stream: object, ...more: object[]) => {
      const allowed = [{ connection_id: 'home', stream: 'notes', keys: ['n1'], ...stream }, ...more];
      const { token } = await world.grant(allowed as Parameters<typeof world.grant>[0]);
      return readAnswer(await world.call(token, 'search', { query: 'orchard' })).results[0].who;
    };
    const people = { connection_id: 'home', stream: 'people' };
    expect(await who({}, people)).toEqual({ author: 'p1', writer: 'Ana <b>Lima</b>' });
    expect(await who({}, { ...people, fields: ['born'] })).toEqual({ author: 'p1' });
    expect(await who({}, { ...people, keys: ['p2'] })).toEqual({ author: 'p1' });
    expect(await who({})).toEqual({ author: 'p1' });
    expect(await who({ fields: ['title', 'body'] }, people)).toBeUndefined();
  });

  it('says of a mail who sent it, and of an event its status', async () => {
    await world.addSource(gmailDeclaration, { post: 'Post' });
    await world.addSource(googleCalendarDeclaration, { dates: 'Dates' });
    const sent_at = '2026-05-01T08:00:00Z';
    await world.ingest('post', 'messages', [
      {
        key: 'm1',
        data: {
          id: 'm1',
          thread_id: 't1',
          subject: 'Marmalade',
          from_name: 'Ana Lima',
          from_address: 'ana@example.org',
          sent_at,
        },
      },
    ]);
    await world.ingest('dates', 'events', [
      { key: 'e1', data: { id: 'e1', title: 'Cooking marmalade', status: 'cancelled', starts_at: sent_at } },
    ]);
    const { token } = await world.grant([{ connection_id: 'post' }, { connection_id: 'dates' }]);
    const { results } = readAnswer(await world.call(token, 'search', { query: 'marmalade' }));
    const byId = new Map(results.map((hit: { id: string }) => [hit.id, hit]));
    expect(byId.get('post/messages/m1')).toMatchObject({
      who: { from_name: 'Ana Lima', from_address: 'ana@example.org' },
    });
    expect(byId.get('dates/events/e1')).toMatchObject({ status: 'cancelled' });
  });

  it('says of a chat message, whose title is its sender, in which chat it is', async () => {
    await world.addSource(whatsappDeclaration, { chats: 'Chats' });
    await world.ingest('chats', 'messages', [
      {
        key: 'm1',
        data: {
          id: 'm1',
          chat_id: 'c1',
          chat: 'Book club',
          sender: 'Nora',
          text: 'Bring quinces',
          sent_at: '2026-05-01T08:00:00Z',
        },
      },
    ]);
    const { token } = await world.grant([{ connection_id: 'chats' }]);
    const [hit] = readAnswer(await world.call(token, 'search', { query: 'quinces' })).results;
    expect(hit).toMatchObject({ title: 'Nora', who: { chat: 'Book club' } });
  });

  it('shows how its text begins and how long it is where only the title matched', async () => {
    const [hit] = (await search('zeppelin')).results;
    expect(hit.title).toBe('<mark>Zeppelin</mark>');
    expect(hit.text).toMatch(/^The valley was quiet\. .*…$/);
    expect(hit.text_chars).toBe(LONG.length);
  });
});

describe('search in a time zone', () => {
  it('reads days and shows times by the clock that the call names, and says which', async () => {
    const days = { since: '2026-05-11', until: '2026-05-12' };
    const owner = await search('velvet', days);
    expect([owner.results[0].time, owner.meta.time_zone]).toEqual([
      '2026-05-11T00:30:00+02:00',
      'Europe/Berlin',
    ]);
    expect((await search('velvet', { ...days, time_zone: 'UTC' })).results).toEqual([]);
    const there = await search('velvet', { since: '2026-05-10', until: '2026-05-11', time_zone: 'UTC' });
    expect([there.results[0].time, there.meta.time_zone]).toEqual(['2026-05-10T22:30:00Z', 'UTC']);
    expect(readRefusal(await world.call(world.token, 'search', { query: 'x', time_zone: 'Mars' })).code).toBe(
      'invalid_argument',
    );
  });
});

describe('a page of search with no hits', () => {
  it('says which streams and fields were searched, which cannot be, and which words there are', async () => {
    const { token } = await world.grant([
      { connection_id: 'home', stream: 'notes' },
      { connection_id: 'home', stream: 'comments', fields: ['created_at'] },
      { connection_id: 'work', stream: 'notes', fields: ['title'] },
    ]);
    const { results, searched } = readAnswer(await world.call(token, 'search', { query: 'orchestra' }));
    expect(results).toEqual([]);
    expect(searched).toEqual({
      summary: '2 of 3 granted streams were searched in full; without searchable text: 1.',
      streams: { notes: ['title', 'body'] },
      streams_total: 2,
      without_text: ['comments'],
      words_that_exist: { orchestra: ['orchard'] },
    });
  });

  it('says plainly that all granted streams were searched in full, or which part was not', async () => {
    const { token } = await world.grant([
      { connection_id: 'home', stream: 'notes' },
      { connection_id: 'work', stream: 'notes' },
    ]);
    const summary = async (args: object) =>
      readAnswer(await world.call(token, 'search', { query: 'orchestra', ...args })).searched.summary;
    expect(await summary({})).toBe('All 2 granted streams were searched in full.');
    expect(await summary({ since: '2026-01-01' })).toBe(
      'All 2 granted streams were searched, but only the records that meet since, until and filter.',
    );
    expect(await summary({ connection_id: 'home' })).toBe(
      '1 of 2 granted streams were searched in full; excluded by the arguments: 1.',
    );
  });

  it('shows that a word exists in records that the conditions exclude', async () => {
    const { searched } = await search('zeppelin', { since: '2027-01-01' });
    expect(searched.words_that_exist).toEqual({ zeppelin: ['zeppelin'] });
  });

  it('reveals no word of hidden records and fields', async () => {
    expect((await search('veloursamt')).searched).not.toHaveProperty('words_that_exist');
    const { token } = await world.grant([{ connection_id: 'home', stream: 'notes', keys: ['n7'] }]);
    const { searched } = readAnswer(await world.call(token, 'search', { query: 'orchestra' }));
    expect(searched).not.toHaveProperty('words_that_exist');
  });
});
