import { anything, declare, declareStream, integer, string, time } from './declare.ts';
import { createWorld, type Line, type World } from './world.ts';

/** A source small enough to know by heart: notes with comments, and codes that have no time. */
export const notesSource = declare('notes', [
  declareStream('notes', {
    fields: {
      id: string,
      title: string,
      body: string,
      author: string,
      tags: { type: 'array', items: string },
      stars: integer,
      price: { type: 'number' },
      pinned: { type: 'boolean' },
      created_at: time,
      edited_at: time,
      due: { type: 'string', format: 'date' },
      place: anything,
      secret: string,
    },
    time: 'created_at',
    required: ['id', 'created_at'],
    search: ['title', 'body'],
    relationships: [
      { name: 'comments', stream: 'comments', foreign_key: 'note_id', cardinality: 'has_many' },
      { name: 'writer', stream: 'people', foreign_key: 'author', cardinality: 'has_one' },
    ],
  }),
  declareStream('comments', {
    fields: { id: string, note_id: string, text: string, created_at: time },
    time: 'created_at',
    search: ['text'],
    relationships: [{ name: 'note', stream: 'notes', foreign_key: 'note_id', cardinality: 'has_one' }],
  }),
  declareStream('people', { fields: { id: string, name: string, born: integer }, search: ['name'] }),
  declareStream('codes', { fields: { id: string, label: string, rank: integer } }),
]);

/** A line of the stream `notes`. */
export function note(id: string, data: Record<string, unknown> = {}, emitted_at = '2026-11-01T00:00:00Z') {
  return { key: id, emitted_at, data: { id, created_at: '2026-03-01T12:00:00Z', ...data } } satisfies Line;
}

export const smallNotes: Line[] = [
  note('n1', {
    title: 'Lisbon trip',
    body: 'Book the ferry to Cacilhas and the museum.',
    author: 'ana',
    tags: ['travel', 'to do'],
    stars: 5,
    price: 12.5,
    pinned: true,
    created_at: '2026-01-10T09:30:00Z',
    edited_at: '2026-01-20T10:00:00+01:00',
    due: '2026-02-01',
    place: { city: 'Lisbon', at: [38.7, -9.1] },
    secret: 'the key is under the mat',
  }),
  note('n2', {
    title: 'Groceries',
    body: 'Milk, bread and a ferry ticket.',
    author: 'bo',
    tags: ['to do'],
    stars: 2,
    price: 3,
    pinned: false,
    created_at: '2026-02-14T18:00:00Z',
  }),
  note('n3', {
    body: 'Nobody gave this one a name, but it speaks of a museum.',
    author: 'ana',
    stars: 2,
    created_at: '2026-03-05T23:30:00Z',
  }),
  note('n4', { title: 'Taxes', author: 'cy', price: 250.75, created_at: '2026-03-28T00:15:00Z' }),
];

/** A world with the notes source, a few records in `home`, and a token that may read all of `home`. */
export async function createNotesWorld(
  options: { timeZone?: string; connections?: string[]; notes?: Line[] } = {},
): Promise<World & { token: string }> {
  const world = await createWorld(options);
  const connections = options.connections ?? ['home'];
  await world.addSource(notesSource, Object.fromEntries(connections.map((id) => [id, `Notes of ${id}`])));
  await world.ingest('home', 'notes', options.notes ?? smallNotes);
  if (options.notes === undefined) {
    await world.ingest('home', 'comments', [
      comment('c1', 'n1', 'Take the early one', '2026-01-11T08:00:00Z'),
      comment('c2', 'n1', 'It is closed on Mondays', '2026-01-12T08:00:00Z'),
    ]);
    await world.ingest('home', 'people', [{ key: 'ana', data: { id: 'ana', name: 'Ana Reis', born: 1980 } }]);
    await world.ingest(
      'home',
      'codes',
      ['b', 'a', 'c'].map((id, rank) => ({ key: id, data: { id, label: `code ${id}`, rank } })),
    );
  }
  const { token } = await world.grant(connections.map((connection_id) => ({ connection_id })));
  return { ...world, token };
}

function comment(id: string, note_id: string, text: string, created_at: string): Line {
  return { key: id, data: { id, note_id, text, created_at } };
}
