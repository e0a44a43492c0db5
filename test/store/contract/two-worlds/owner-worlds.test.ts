import { describe, expect, it } from 'vitest';
import { addSelf } from '../../../../src/schema-index/edit-catalog.ts';
import { mailDeclaration } from '../../../../src/sources/mail/mail-declaration.ts';
import { createWorld, type World } from '../../../support/world.ts';
import { expectSame, normalise } from './compare-worlds.ts';

const SINCE = Date.parse('2026-01-01T00:00:00Z');
const NORA = 'nora@mail.example';

const mail = (id: string, sent_at: string, from_address: string, more: object = {}) => ({
  key: id,
  data: { id, thread_id: 't1', subject: 'Lunch', from_address, to: ['ana@mail.example'], sent_at, ...more },
});

/** A mailbox whose visible mails are the same, with mails before the window and the names found in them. */
async function openMailbox(hidden: ReturnType<typeof mail>[], self: string[], visibleFlag?: boolean) {
  const world = await createWorld();
  await world.addSource(mailDeclaration, { mail: 'Mail' });
  await world.ingest('mail', 'messages', hidden);
  const flag = visibleFlag === undefined ? {} : { is_from_me: visibleFlag };
  await world.ingest('mail', 'messages', [
    mail('m1', '2026-02-01T00:00:00Z', NORA, flag),
    mail('m2', '2026-02-02T00:00:00Z', 'ana@mail.example', { to: [NORA] }),
  ]);
  await world.ingest('mail', 'threads', [
    { key: 't1', data: { id: 't1', subject: 'Lunch', participants: [NORA], last_message_at: '2026-02-02' } },
  ]);
  await addSelf(world.store.write, 'mail', self);
  const { token } = await world.grant([{ connection_id: 'mail' }], { since: SINCE });
  return { world, token };
}

const ask = async ({ world, token }: { world: World; token: string }, tool: string, args: object) =>
  world.call(token, tool, args);

describe('me', () => {
  it('G-08 is not known from mails outside the window', async () => {
    const here = await openMailbox([], []);
    const there = await openMailbox(
      [mail('h1', '2019-01-01T00:00:00Z', NORA, { is_from_me: true, folder: 'Sent' })],
      [NORA],
    );
    for (const [tool, args] of [
      ['schema', { stream: ['messages', 'threads'] }],
      ['query_records', { stream: 'messages', filter: { from_address: 'me' } }],
      ['query_records', { stream: 'messages', filter: { to: 'me' } }],
      ['query_records', { stream: 'threads', filter: { participants: 'me' } }],
      ['aggregate', { stream: 'messages', filter: { from_address: { ne: 'me' } } }],
    ] as const) {
      const [a, b] = [await ask(here, tool, args), await ask(there, tool, args)];
      expectSame(`${tool} ${JSON.stringify(args)}`, normalise(a).join('\n'), normalise(b).join('\n'));
    }
    here.world.close();
    there.world.close();
  });

  it('is known from visible mails that the owner wrote, in every field of the account', async () => {
    const box = await openMailbox([], [], true);
    const list = async (stream: string, filter: object) =>
      (await ask(box, 'query_records', { stream, filter })).structuredContent.data.map(
        (row: { record: { id: string } }) => row.record.id,
      );
    expect(await list('messages', { from_address: 'me' })).toEqual(['m1']);
    expect(await list('messages', { to: 'me' })).toEqual(['m2']);
    expect(await list('threads', { participants: 'me' })).toEqual(['t1']);
    box.world.close();
  });
});
