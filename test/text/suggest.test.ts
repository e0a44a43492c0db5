import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rankByName, suggest } from '../../src/text/suggest.ts';
import { editDistance } from '../../src/words/edit-distance.ts';

/** Names as they are in stores, in tools and on the command line. */
const streams = [
  'messages',
  'members',
  'channels',
  'transactions',
  'accounts',
  'emails',
  'attachments',
  'contacts',
  'events',
  'calendars',
  'notes',
  'plays',
  'playlists',
  'tracks',
  'artists',
  'workouts',
  'heart_rate',
  'sleep',
  'photos',
  'albums',
  'conversations',
  'files',
  'tasks',
  'projects',
  'reactions',
  'orders',
  'watch_history',
  'search_history',
  'bookmarks',
  'entries',
];
const fields = [
  'id',
  'author',
  'author_name',
  'created_at',
  'updated_at',
  'sent_at',
  'channel_id',
  'channel_name',
  'thread_id',
  'text',
  'subject',
  'from_address',
  'to_addresses',
  'is_read',
  'merchant',
  'amount',
  'currency',
  'category',
  'booked_at',
  'balance',
  'display_name',
  'duration_ms',
  'played_at',
  'artist',
  'album',
  'track',
  'title',
  'url',
  'rating',
  'status',
  'priority',
  'due_at',
  'assignee',
  'location',
  'latitude',
  'longitude',
  'start_at',
  'end_at',
  'attendees',
  'description',
];
const args = [
  'stream',
  'connection_id',
  'filter',
  'fields',
  'sort',
  'limit',
  'cursor',
  'count',
  'changes_since',
  'expand',
  'time_zone',
];
const options = [
  'connection',
  'where',
  'filter',
  'fields',
  'sort',
  'limit',
  'cursor',
  'all',
  'count',
  'expand',
  'changes-since',
  'server',
  'folder',
  'json',
];
const commands = [
  'serve',
  'doctor',
  'verify',
  'backup',
  'restore',
  'demo',
  'import',
  'import list',
  'import undo',
  'watch',
  'source add',
  'connection add',
  'connection list',
  'connection rename',
  'connection remove',
  'ingest',
  'grant create',
  'grant list',
  'grant revoke',
  'owner token',
  'owner reset',
  'owner revoke',
  'connect',
  'disconnect',
  'schema',
  'query',
  'aggregate',
  'search',
  'fetch',
  'mcp',
  'completion',
  'help',
  'source',
  'connection',
  'grant',
  'owner',
];

/** What was sent and what was meant. An edit distance over whole names found 80 of these. */
const misspelt: [known: readonly string[], pairs: Record<string, string>][] = [
  [
    streams,
    {
      mesages: 'messages',
      message: 'messages',
      emssages: 'messages',
      MESSAGES: 'messages',
      transaction: 'transactions',
      transacitons: 'transactions',
      tranactions: 'transactions',
      chanels: 'channels',
      contcats: 'contacts',
      calender: 'calendars',
      playlist: 'playlists',
      artits: 'artists',
      hearth_rate: 'heart_rate',
      heartrate: 'heart_rate',
      heartRate: 'heart_rate',
      slep: 'sleep',
      photo: 'photos',
      convesations: 'conversations',
      recations: 'reactions',
      watchhistory: 'watch_history',
      'watch-history': 'watch_history',
      bookmark: 'bookmarks',
      email: 'emails',
      trakcs: 'tracks',
      taks: 'tasks',
    },
  ],
  [
    fields,
    {
      auhtor: 'author',
      createdat: 'created_at',
      createdAt: 'created_at',
      created: 'created_at',
      chanel_id: 'channel_id',
      di: 'id',
      ids: 'id',
      titel: 'title',
      txt: 'text',
      tetx: 'text',
      amout: 'amount',
      ammount: 'amount',
      mechant: 'merchant',
      curency: 'currency',
      catgory: 'category',
      sent: 'sent_at',
      displayname: 'display_name',
      display: 'display_name',
      from: 'from_address',
      from_adress: 'from_address',
      to_address: 'to_addresses',
      duration: 'duration_ms',
      durationms: 'duration_ms',
      lattitude: 'latitude',
      longtitude: 'longitude',
      desciption: 'description',
      asignee: 'assignee',
      statsu: 'status',
      urls: 'url',
      isread: 'is_read',
      start: 'start_at',
      authorname: 'author_name',
    },
  ],
  [
    args,
    {
      steam: 'stream',
      streams: 'stream',
      feilds: 'fields',
      field: 'fields',
      fliter: 'filter',
      conection_id: 'connection_id',
      connection: 'connection_id',
      connectionId: 'connection_id',
      timezone: 'time_zone',
      limt: 'limit',
      changes: 'changes_since',
    },
  ],
  [
    options,
    { conection: 'connection', lmit: 'limit', jsno: 'json', changes_since: 'changes-since', whre: 'where' },
  ],
  [
    commands,
    {
      shema: 'schema',
      serach: 'search',
      qurey: 'query',
      aggregat: 'aggregate',
      'grant lst': 'grant list',
      'grnat list': 'grant list',
      conect: 'connect',
      disconect: 'disconnect',
      impotr: 'import',
      'owner rest': 'owner reset',
      sevre: 'serve',
      docter: 'doctor',
      fetsh: 'fetch',
      backups: 'backup',
    },
  ],
];

describe('suggest', () => {
  it.each(
    misspelt.flatMap(([known, pairs]) =>
      Object.entries(pairs).map(([sent, meant]) => [sent, meant, known] as const),
    ),
  )('takes %s for %s', (sent, meant, known) => {
    expect(suggest(sent, known)).toBe(meant);
  });

  it.each([
    '',
    'zzz',
    'price',
    'x',
    'm',
    'q',
    '__proto__',
    'constructor',
    'foo_id',
    // Each is 18 characters once it is decomposed.
    'ﷺ'.repeat(64),
    `messages${'x'.repeat(10_000)}`,
    '消息',
  ])('takes %s for nothing', (sent) => {
    expect(suggest(sent, [...streams, ...fields])).toBeUndefined();
  });

  it('returns only given names, and the first of equal ones', () => {
    expect(suggest('ab', ['ax', 'ay'])).toBe('ax');
    expect(suggest('messages', [])).toBeUndefined();
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), (sent, known) => {
        const nearest = suggest(sent, known);
        expect(nearest === undefined || known.includes(nearest)).toBe(true);
        expect(suggest(sent, known)).toBe(nearest);
      }),
    );
  });

  it('looks at a bounded number of names', () => {
    const many = Array.from({ length: 5_000 }, (_, at) => `stream_${at}`);
    expect(suggest('steam_77', many)).toBe('stream_77');
    expect(suggest('nothing', [...many, 'nothings'])).toBeUndefined();
  });
});

describe('rankByName', () => {
  const items = ['Étoile Notes', 'Notes', 'Nordbank', 'Settings', 'Old notes'].map((name, at) => ({
    name,
    detail: at === 2 ? 'transactions' : '',
    kind: 'App',
  }));
  const find = (query: string) => rankByName(items, query).map(({ name }) => name);

  it('finds names by prefix, typing error and details, best first', () => {
    expect(find('note')).toEqual(['Notes', 'Étoile Notes', 'Old notes']);
    expect(find('etoile')).toEqual(['Étoile Notes']);
    expect(find('notes old')).toEqual(['Old notes']);
    expect(find('nordbnk')).toEqual(['Nordbank']);
    expect(find('transact')).toEqual(['Nordbank']);
    expect(find('xyz')).toEqual([]);
  });
});

describe('editDistance', () => {
  it.each([
    ['', '', 0],
    ['abc', 'abc', 0],
    ['abc', 'abd', 1],
    ['abc', 'ab', 1],
    ['abc', 'acb', 1],
    ['kitten', 'sitting', 3],
    ['abcdef', 'zzzzzz', 5],
  ])('between %s and %s is %i', (a, b, distance) => {
    expect(editDistance(a, b, 5)).toBe(distance);
  });

  it('is the same both ways, nothing for equals, and never beyond its limit', () => {
    const word = fc.string({ maxLength: 12 });
    fc.assert(
      fc.property(word, word, fc.integer({ min: 1, max: 6 }), (a, b, limit) => {
        const distance = editDistance(a, b, limit);
        expect(distance).toBe(editDistance(b, a, limit));
        expect(distance).toBeLessThanOrEqual(limit);
        expect(distance === 0).toBe(a === b);
      }),
    );
  });
});
