import { declare, declareStream, integer, string, time } from '../support/declare.ts';
import { note, notesSource, smallNotes } from '../support/notes-source.ts';
import { createWorld, type World } from '../support/world.ts';

/** A stream name that two connectors share, one of them with two accounts; each account has a few records. */
export async function createSharedNamesWorld(): Promise<World & { token: string }> {
  const world = await createWorld();
  await world.addSource(notesSource, { home: 'Notes at home', work: 'Notes at work' });
  await world.addSource(
    declare('chat', [
      declareStream('notes', {
        fields: { id: string, message: string, channel: string, length: integer, sent_at: time },
        time: 'sent_at',
        search: ['message'],
      }),
    ]),
    { team: 'Team chat' },
  );
  await world.ingest('home', 'notes', smallNotes);
  await world.ingest('work', 'notes', [
    note('w1', {
      title: 'Ferry contract',
      body: 'Terms of the ferry line',
      created_at: '2026-04-01T08:00:00Z',
    }),
    note('w2', { body: 'Call the ferry office', created_at: '2026-04-02T08:00:00Z' }),
  ]);
  await world.ingest('team', 'notes', [
    {
      key: 'm1',
      emitted_at: '2026-10-09T00:00:00Z',
      data: {
        id: 'm1',
        message: 'who takes the ferry?',
        channel: 'general',
        sent_at: '2026-05-01T10:00:00Z',
      },
    },
  ]);
  const { token } = await world.grant(['home', 'work', 'team'].map((connection_id) => ({ connection_id })));
  return { ...world, token };
}
