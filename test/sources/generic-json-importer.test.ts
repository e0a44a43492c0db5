import { describe, expect, it } from 'vitest';
import { genericImporter } from '../../src/sources/generic/generic-importer.ts';
import { makeInputFile } from '../support/input-file.ts';
import { importAll } from './import-export.ts';

const read = (value: unknown, pieceBytes = 1_000) =>
  importAll(genericImporter, [makeInputFile('app.json', JSON.stringify(value), pieceBytes)]);

const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));

describe('lists in a JSON file of any kind', () => {
  it('are read at every depth', async () => {
    const { records } = await read({
      orders: [{ id: 1, item: 'Tea' }],
      history: {
        rides: [{ id: 7, to: 'Lake' }],
        deep: { a: { b: { c: { stops: [{ id: 9, at: 'Park' }] } } } },
      },
    });
    expect(records.rows).toEqual([{ id: 1, item: 'Tea' }]);
    expect(records.history_rides).toEqual([{ id: 7, to: 'Lake' }]);
    expect(records.history_deep_a_b_c_stops).toEqual([{ id: 9, at: 'Park' }]);
  });

  it('are all read, with the key they were under', async () => {
    const chats = Object.fromEntries(
      times(300, (n) => [
        `friend_${n}`,
        [
          { From: 'me', Content: `hello ${n}` },
          { From: 'you', Content: `hi ${n}` },
        ],
      ]),
    );
    const { counts, records } = await read(chats);
    expect(counts).toEqual({ rows: 600 });
    expect(records.rows?.[598]).toEqual({ list: 'friend_299', from: 'me', content: 'hello 299' });
  });

  it('under names of people are one stream, at any depth', async () => {
    const { counts, records } = await read({
      Activity: {
        'Like List': { ItemFavoriteList: [{ Date: '2024-01-02 03:04:05', Link: 'https://a.example' }] },
      },
      'Direct Messages': {
        'Chat History': {
          ChatHistory: {
            'Chat History with ben:': [{ Date: '2024-01-02 03:04:05', From: 'ben', Content: 'Hello' }],
            'Chat History with eve:': times(3, (n) => ({
              Date: '2024-01-03 03:04:05',
              From: 'eve',
              Content: `${n}`,
            })),
          },
        },
      },
    });
    expect(counts).toMatchObject({ direct_messages_chat_history_chathistory: 4 });
    expect(records.direct_messages_chat_history_chathistory?.[0]).toMatchObject({
      chathistory: 'Chat History with ben:',
      content: 'Hello',
    });
  });

  it('inside rows are streams that refer to their row', async () => {
    const { records } = await read({
      Messages: [
        { match_id: 'Match 1', count: 2, messages: [{ message: 'Hi' }, { message: 'Ho' }] },
        { messages: [{ message: 'Hey' }], match_id: 'Match 2', count: 1 },
      ],
    });
    expect(records.rows).toHaveLength(2);
    expect(records.messages_messages).toEqual([
      { match_id: 'Match 1', message: 'Hi' },
      { match_id: 'Match 1', message: 'Ho' },
      { match_id: 'Match 2', message: 'Hey' },
    ]);
  });

  it('inside rows do not use the id of their row as key', async () => {
    const { notes } = await read([
      { uuid: 'a', photos: [{ url: 'https://a.example' }] },
      { uuid: 'b', photos: [{ url: 'https://b.example' }] },
    ]);
    expect(notes).toContain('app.json: photos: no unique ID column found, so keys are made from whole rows');
  });

  it('are imported with everything beside them: counts by day, a profile, short lists', async () => {
    const { records } = await read({
      Usage: { app_opens: { '2024-01-01': 3, '2024-01-02': 5 } },
      User: { bio: 'Likes tea', interests: ['tea', 'walks'], city: { name: 'Kiel' } },
      Photos: [{ id: 'p1', url: 'https://a.example' }],
    });
    expect(records.usage_app_opens).toEqual([
      { key: '2024-01-01', value: 3 },
      { key: '2024-01-02', value: 5 },
    ]);
    expect(records.details).toEqual([
      { key: 'User.bio', value: 'Likes tea' },
      { key: 'User.interests', value: 'tea; walks' },
      { key: 'User.city.name', value: 'Kiel' },
    ]);
  });

  it('have scalar values beside them that are always text', async () => {
    const { records } = await read({ version: 3, items: [{ id: 1 }] });
    expect(records.details).toEqual([{ key: 'version', value: '3' }]);
  });

  it('are read the same for small and large files, in any order of keys', async () => {
    const long = 'x'.repeat(1_000);
    const make = (rows: number) => ({
      version: 3,
      chats: [
        { messages: times(rows, (n) => ({ id: `a${n}`, text: long })), chat_id: 'A' },
        { chat_id: 'B', messages: times(rows, (n) => ({ id: `b${n}`, text: long })), topic: { name: 'Tea' } },
      ],
      byFriend: { 'anna@example.org': times(rows, (n) => ({ n, text: long })) },
    });
    for (const rows of [3, 3_000]) {
      const { counts, records, problems } = await read(make(rows), 60_000);
      expect(problems).toEqual([]);
      expect(counts).toEqual({ rows: 2, chats_messages: 2 * rows, byfriend: rows, details: 1 });
      expect(records.chats_messages?.[0]).toEqual({ chat_id: 'A', id: 'a0', text: long });
      expect(records.chats_messages?.at(-1)).toEqual({ chat_id: 'B', id: `b${rows - 1}`, text: long });
      expect(records.rows?.[1]).toMatchObject({ chat_id: 'B', topic_name: 'Tea' });
      expect(records.byfriend?.[0]).toMatchObject({ byfriend: 'anna@example.org', n: 0 });
    }
  });

  it('of lists of objects are one list', async () => {
    const { counts } = await read({
      pages: [times(250, (n) => ({ id: n })), times(3, (n) => ({ id: 1_000 + n }))],
    });
    expect(counts).toEqual({ rows: 253 });
  });

  it('lose only the broken element', async () => {
    const file = makeInputFile('app.json', '{"a":{"rows":[{"id":1},{"id":},{"id":3}]},"b":[{"id":4}]}');
    const { counts, problems } = await importAll(genericImporter, [file]);
    expect(counts).toEqual({ rows: 1, a_rows: 2 });
    expect(problems).toEqual(['app.json a.rows.2: is not valid JSON']);
  });
});
