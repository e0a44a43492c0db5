import { describe, expect, it } from 'vitest';
import { addSelf } from '../../src/schema-index/edit-catalog.ts';
import type { Field } from '../../src/schema-index/field.ts';
import { chatgptDeclaration } from '../../src/sources/chatgpt/chatgpt-declaration.ts';
import { gmailDeclaration } from '../../src/sources/gmail/gmail-declaration.ts';
import { googlePhotosDeclaration } from '../../src/sources/google-photos/google-photos-declaration.ts';
import { slackDeclaration } from '../../src/sources/slack/slack-declaration.ts';
import { labelField, labelFields, labelInSentence } from '../../src/views/field-label.ts';
import { formatAmount } from '../../src/views/reading/amount.ts';
import { writeMarkdown } from '../../src/views/record-markdown.ts';
import { createPages } from '../support/servers/pages.ts';
import { useWorld } from '../support/use-world.ts';
import { createWorld } from '../support/world.ts';

const line = (id: string, data: Record<string, unknown>) => ({ key: id, data: { id, ...data } });
const minute = (n: number) => new Date(Date.UTC(2026, 2, 1, 22, n)).toISOString();

const world = await useWorld(createWorld({ timeZone: 'Europe/Berlin' }));
await world.addSource(chatgptDeclaration, { gpt: 'ChatGPT' });
await world.addSource(gmailDeclaration, { mail: 'Mail' });
await world.addSource(slackDeclaration, { team: 'Team' });
await world.addSource(googlePhotosDeclaration, { photos: 'Photos' });
await world.ingest('gpt', 'conversations', [
  line('c1', { title: 'A sourdough plan', created_at: minute(0) }),
]);
await world.ingest('gpt', 'messages', [
  line('m0', {
    conversation_id: 'c1',
    role: 'system',
    text: 'Be kind',
    created_at: minute(0),
    is_hidden: true,
  }),
  line('m1', {
    conversation_id: 'c1',
    role: 'user',
    text: 'How long does it rise?',
    created_at: minute(1),
    title: 'A sourdough plan',
  }),
  line('m2', {
    conversation_id: 'c1',
    role: 'assistant',
    text: '```\nFour hours',
    created_at: minute(2),
    attachments: ['loaf.jpg'],
  }),
  line('other', { conversation_id: 'c2', role: 'user', text: 'Elsewhere', created_at: minute(3) }),
]);
await world.ingest('mail', 'threads', [line('t1', { subject: 'Lunch', last_message_at: minute(9) })]);
await world.ingest('mail', 'messages', [
  line('e1', {
    thread_id: 't1',
    subject: 'Lunch',
    from_name: 'Ana Reis',
    body: 'On Friday?',
    sent_at: minute(5),
  }),
  line('e2', {
    thread_id: 't1',
    subject: 'Re: Lunch',
    from_name: 'Me',
    from_address: 'nora@mail.example',
    is_from_me: true,
    body: 'Gladly.',
    sent_at: minute(9),
  }),
]);
await addSelf(world.store.write, 'team', ['u3', 'never seen']);
await world.ingest('mail', 'messages', [
  line('e0', {
    thread_id: 't0',
    subject: 'Tomatoes',
    from_name: 'Nora Keller',
    from_address: 'nora@mail.example',
    body: 'Ripe.',
    sent_at: minute(1),
  }),
]);
await world.ingest('team', 'channels', [line('k2', { name: 'garden', created_at: minute(0) })]);
await world.ingest('team', 'messages', [
  {
    key: JSON.stringify(['k2', '1']),
    data: { channel_id: 'k2', ts: '1', user_id: 'u3', text: 'Mine', sent_at: minute(0) },
  },
]);
await world.ingest('team', 'users', [line('u1', { name: 'Bo Lind', handle: 'bo' })]);
await world.ingest('team', 'channels', [line('k1', { name: 'general', created_at: minute(0) })]);
await world.ingest(
  'team',
  'messages',
  Array.from({ length: 130 }, (_, n) => {
    const data = { channel_id: 'k1', ts: String(1_000 + n), user_id: n % 2 ? 'u1' : 'u2', text: `Word ${n}` };
    return { key: JSON.stringify(['k1', data.ts]), data: { ...data, sent_at: minute(n) } };
  }),
);
await world.ingest('photos', 'albums', [line('a1', { title: 'Lisbon', created_at: minute(0) })]);
await world.ingest('photos', 'photos', [
  line('p1', { title: 'ferry.jpg', album_id: 'a1', taken_at: minute(1) }),
]);
const { views } = createPages(world);
const read = (id: string, opening = {}) => views.record(id, undefined, opening);

describe('the page of a conversation', () => {
  it('shows authors and messages in order, and no other conversation', async () => {
    const { related } = await read('gpt/conversations/c1');
    expect(related).toHaveLength(1);
    expect(related[0]).toMatchObject({ relation: 'messages', form: 'talk', total: 3, next: null });
    expect(related[0]?.records.map(({ who, text, mine, aside }) => [who, text, mine, aside])).toEqual([
      ['System', 'Be kind', false, true],
      ['You', 'How long does it rise?', true, false],
      ['Assistant', '```\nFour hours', false, false],
    ]);
    expect(related[0]?.records[2]?.attachments).toEqual(['loaf.jpg']);
  });

  it('shows the mails of a thread with the names of their authors', async () => {
    const { related } = await read('mail/threads/t1');
    expect(related[0]?.records).toMatchObject([
      { who: 'Ana Reis', name: 'Lunch', text: 'On Friday?', mine: false },
      { who: 'You', name: 'Re: Lunch', text: 'Gladly.', mine: true },
    ]);
  });

  it('recognises the owner by their name in the account if the grant includes it', async () => {
    expect(await read('mail/messages/e0')).toMatchObject({ who: 'You' });
    expect((await read('team/channels/k2')).related[0]?.records).toMatchObject([{ who: 'You', mine: true }]);
    const fields = ['id', 'subject', 'body', 'from_name', 'sent_at'];
    const { grantId } = await world.grant([{ connection_id: 'mail', stream: 'messages', fields }]);
    expect(await views.record('mail/messages/e0', grantId)).toMatchObject({ who: 'Nora Keller' });
  });

  it('shows author names for ids, and pages in both directions', async () => {
    const first = (await read('team/channels/k1')).related[0];
    expect(first).toMatchObject({ form: 'talk', total: 130, previous: null });
    expect(first?.records.slice(0, 2)).toMatchObject([
      { who: 'u2', text: 'Word 0' },
      { who: 'Bo Lind', text: 'Word 1' },
    ]);
    const second = (await read('team/channels/k1', { cursor: first?.next })).related[0];
    expect(second?.records[0]?.text).toBe('Word 50');
    expect((await read('team/channels/k1', { cursor: second?.previous })).related[0]?.records).toEqual(
      first?.records,
    );
    const end = (await read('team/channels/k1', { at: 'end' })).related[0];
    expect(end).toMatchObject({ next: null });
    expect([end?.records[0]?.text, end?.records.at(-1)?.text]).toEqual(['Word 80', 'Word 129']);
  });

  it('opens at a day in the time zone of the owner, with a link back', async () => {
    // 23:00 UTC is midnight in Berlin: the sixtieth minute begins the next day.
    const opened = (await read('team/channels/k1', { at: '2026-03-02' })).related[0];
    expect(opened?.records[0]?.text).toBe('Word 60');
    const before = (await read('team/channels/k1', { cursor: opened?.previous })).related[0];
    expect(before?.records.at(-1)?.text).toBe('Word 59');
    expect((await read('team/channels/k1', { at: '2026-01-01' })).related[0]?.previous).toBeNull();
    await expect(read('team/channels/k1', { at: 'soon' })).rejects.toMatchObject({
      code: 'invalid_argument',
    });
    await expect(read('team/channels/k1', { cursor: 'x' })).rejects.toMatchObject({ code: 'invalid_cursor' });
  });

  it('lists the items of an album by name', async () => {
    expect((await read('photos/albums/a1')).related[0]).toMatchObject({
      form: 'list',
      label: 'Photos',
      records: [{ id: 'photos/photos/p1', name: 'ferry.jpg', who: null }],
    });
  });
});

describe('the page of a message', () => {
  it('is titled by its first words, and links to its position in the conversation', async () => {
    const message = await read('gpt/messages/m1');
    expect(message).toMatchObject({ title: 'How long does it rise?', who: 'You', says: 'text' });
    expect(message.related[0]).toMatchObject({
      form: 'one',
      at: minute(1),
      records: [{ id: 'gpt/conversations/c1', name: 'A sourdough plan' }],
    });
  });

  it('keeps the subject of a mail', async () => {
    expect(await read('mail/messages/e2')).toMatchObject({ title: 'Re: Lunch', who: 'You' });
  });
});

describe('a list of messages', () => {
  it('shows author and text first', async () => {
    const { rows, columns } = await views.records({ connection_id: 'team', stream: 'messages' }, undefined);
    expect(rows[0]).toMatchObject({ who: 'Bo Lind', name: 'Word 129', said: null });
    expect(columns.map(({ label }) => label)).toEqual(['Sent']);
    const mails = await views.records({ connection_id: 'mail', stream: 'messages' }, undefined);
    expect(mails.rows[0]).toMatchObject({ who: 'You', name: 'Re: Lunch', said: 'Gladly.' });
    const asked = await views.records({ connection_id: 'gpt', stream: 'messages' }, undefined);
    expect(asked.rows[2]).toMatchObject({ who: 'You', name: 'How long does it rise?' });
    expect(asked.columns.map(({ label }) => label)).toEqual(['Created', 'Title']);
  });

  it('shows an app only granted fields', async () => {
    const { grantId } = await world.grant([
      { connection_id: 'team', stream: 'messages', fields: ['text', 'sent_at', 'user_id'] },
      { connection_id: 'gpt', stream: 'messages', fields: ['text', 'created_at'] },
      { connection_id: 'gpt', stream: 'conversations', fields: ['title'] },
    ]);
    const seen = await views.records({ connection_id: 'team', stream: 'messages' }, grantId);
    // The members are not granted, so their names are not known.
    expect(JSON.stringify(seen.rows)).not.toContain('Bo Lind');
    expect((await views.record('gpt/conversations/c1', grantId)).related[0]?.records[1]).toMatchObject({
      who: null,
      mine: false,
    });
  });
});

describe('a list as CSV', () => {
  it('is streamed from one snapshot during writes', async () => {
    const ids = Array.from({ length: 250 }, (_, n) => `d${String(n).padStart(3, '0')}`);
    const doc = (id: string, text: string) =>
      line(id, { title: id, description: text, created_at: minute(1) });
    await world.ingest(
      'photos',
      'albums',
      ids.map((id) => doc(id, 'x'.repeat(9_000))),
    );
    const input = { connection_id: 'photos', stream: 'albums', sort: 'title' };
    const pieces: string[] = [];
    for await (const piece of await views.recordsCsv(input, undefined)) {
      pieces.push(piece);
      await world.ingest('photos', 'albums', [doc(`e${pieces.length}`, 'later'), doc('d249', 'changed')]);
    }
    // A piece is handed on when it has a million characters.
    expect(pieces.map(({ length }) => length < 1_010_000)).toEqual([true, true, true]);
    const lines = pieces.join('').trimEnd().split('\r\n');
    expect(lines[0]).toMatch(/^id,title,description,/);
    expect(lines.slice(1).map((one) => one.split(',')[0])).toEqual(
      ['a1', ...ids].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)),
    );
    expect(pieces.join('')).not.toMatch(/later|changed/);
  });
});

/** What albums are sorted by. */
const nameOf = (id: string) => (id === 'a1' ? 'Lisbon' : id);

describe('a conversation as Markdown', () => {
  it('reads as a conversation, and its text stays data', async () => {
    const text = writeMarkdown(await read('gpt/conversations/c1'));
    expect(text).toContain('## `Chat messages` (3)\n');
    expect(text).toContain('### `You`, `2026-03-01 23:01`\n\n```text\nHow long does it rise?\n```\n');
    expect(text).toContain('````text\n```\nFour hours\n````\n\nAttachments: `loaf.jpg`\n');
  });
});

describe('labels and amounts', () => {
  const label = (
    name: string,
    kind: 'string' | 'date-time' | 'boolean' | 'integer' = 'string',
    schema = {},
  ) => labelField({ name, kind, schema });

  it('are words', () => {
    expect(label('sent_at', 'date-time')).toBe('Sent');
    expect(label('is_archived', 'boolean')).toBe('Archived');
    expect(label('from_me', 'boolean')).toBe('From me');
    expect(label('from_name')).toBe('From');
    expect(label('channel_id')).toBe('Channel ID');
    expect(label('played_ms', 'integer')).toBe('Played (ms)');
    expect(label('fileName')).toBe('File name');
    expect(label('at', 'date-time')).toBe('At');
    expect(label('x', 'string', { title: 'Its own title' })).toBe('Its own title');
    expect(label('__')).toBe('__');
  });

  it('stay distinct when their words are equal', () => {
    const list = (...names: string[]) =>
      labelFields(
        names.map(
          (name) => ({ name, kind: /_at$/.test(name) ? 'date-time' : 'string', schema: {} }) as Field,
        ),
      );
    expect([...list('from', 'from_name', 'sent_at').values()]).toEqual(['From', 'From name', 'Sent']);
    expect([...list('sent', 'Sent', 'to').values()]).toEqual(['Sent (sent)', 'Sent (Sent)', 'To']);
  });

  it('are lower case in a sentence, except abbreviations', () => {
    expect(['From address', 'URL', 'IBAN of the sender', 'ID', 'größe', ''].map(labelInSentence)).toEqual([
      'from address',
      'URL',
      'IBAN of the sender',
      'ID',
      'größe',
      '',
    ]);
  });

  it('show the currency of the record with its decimals', () => {
    const field = { unit: 'currency' };
    expect(formatAmount(field, { currency: 'EUR' }, -1234.5)).toBe('-€1,234.50');
    expect(formatAmount(field, { currency: 'JPY' }, 1200)).toBe('¥1,200');
    expect(formatAmount({ unit: 'unit' }, { unit: 'kcal' }, 12.25)).toBe('12.25 kcal');
    expect(formatAmount(field, {}, 5)).toBeNull();
    expect(formatAmount({}, { currency: 'EUR' }, 5)).toBeNull();
    expect(formatAmount(field, { currency: 'EUR' }, 'x')).toBeNull();
  });
});
