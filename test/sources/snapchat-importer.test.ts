import { describe, expect, it } from 'vitest';
import { snapchatImporter } from '../../src/sources/snapchat/snapchat-importer.ts';
import { collect, makeInputFile, readInputFolder } from '../support/input-file.ts';

const read = (name: string) =>
  collect(snapchatImporter, readInputFolder(`test/sources/fixtures/snapchat/${name}`));

describe('Snapchat', () => {
  it('reads chats and snaps keyed by friend or group', async () => {
    const { recognised, records, problems, self } = await read('friends');
    expect(problems).toEqual([]);
    expect(recognised.map(({ account, files }) => [account, files.length])).toEqual([['anna', 10]]);
    expect(self).toEqual(['anna']);
    expect(records.messages).toEqual([
      {
        chat_id: 'bo.lind',
        chat: 'bo.lind',
        sender: 'bo.lind',
        from_me: false,
        sent_at: '2023-05-01T10:11:12Z',
        text: 'Is the harbour frozen?',
        kind: 'message',
        media_type: 'TEXT',
      },
      expect.objectContaining({ sender: 'anna', from_me: true, attachments: ['media'], kind: 'message' }),
      expect.objectContaining({ chat: 'Swimmers', sender: 'cleo', text: 'Swim on Saturday' }),
      expect.objectContaining({ chat: 'Swimmers', kind: 'system', media_type: 'STATUSERASEDMESSAGE' }),
      expect.objectContaining({ chat_id: 'bo.lind', kind: 'snap', attachments: ['image'] }),
    ]);
    expect(records.chats).toMatchObject([
      { id: 'bo.lind', name: 'bo.lind', message_count: 3, last_at: '2023-05-03T09:00:00Z' },
      { id: '5f0d7c1a-0000-4000-8000-000000000001', name: 'Swimmers', message_count: 2 },
    ]);
  });

  it('reads chats with a section per direction', async () => {
    const { records, problems } = await read('sections');
    expect(problems).toEqual([]);
    expect(
      records.messages?.map(({ chat_id, from_me, kind, text, sender }) => [
        chat_id,
        from_me,
        kind,
        text,
        sender,
      ]),
    ).toEqual([
      ['bo.lind', false, 'message', 'Happy new year', 'bo.lind'],
      ['bo.lind', true, 'message', 'And to you', undefined],
      ['cleo', false, 'snap', undefined, 'cleo'],
      ['cleo', true, 'snap', undefined, undefined],
    ]);
  });

  it('reads friends, memories, places, searches and calls', async () => {
    const { records } = await read('friends');
    expect(records.people).toEqual([
      {
        kind: 'Friends',
        username: 'bo.lind',
        name: 'Bo Lind',
        source: 'Added by username',
        created_at: '2022-01-01T10:00:00Z',
        changed_at: '2022-02-01T10:00:00Z',
      },
      expect.objectContaining({ kind: 'Blocked Users', username: 'spam99' }),
    ]);
    expect(records.memories).toEqual([
      { kind: 'Image', latitude: 54.32, longitude: 10.13, created_at: '2023-04-01T12:00:00Z' },
    ]);
    expect(
      records.places?.map(({ kind, name, latitude, created_at }) => [kind, name, latitude, created_at]),
    ).toEqual([
      ['Location History', undefined, 54.321, '2023-05-01T10:11:12Z'],
      ['Location History', undefined, 54.3, '2023-05-02T10:11:12Z'],
      [
        'Businesses and public places you may have visited',
        'Harbour Cafe',
        undefined,
        '2023-05-01T00:00:00Z',
      ],
    ]);
    expect(records.searches).toEqual([{ query: 'harbour lens', created_at: '2023-05-01T10:00:00Z' }]);
    expect(records.calls).toMatchObject([
      { direction: 'outgoing', length_seconds: 61, place: 'Kiel, DE', created_at: '2023-05-04T18:00:00Z' },
    ]);
  });

  it('keeps every other list of the export', async () => {
    const { records } = await read('friends');
    expect(records.other?.map(({ list, values }) => [list, (values as string[])[0]])).toEqual([
      ['account / Basic Information', 'Username: anna'],
      ['account / Login History', 'IP: 192.0.2.7'],
      ['countdowns / Countdowns', 'Name: Regatta'],
      ['location_history / Frequent Locations', 'City: Kiel'],
      ['location_history / Latest Location', 'City: Kiel'],
      ['talk_history / Stats', 'Time period: 30 days'],
      ['terms_history / Snap Inc. Terms of Service', 'Version: Terms of Service 10'],
    ]);
  });

  it('asks for JSON if the export is HTML', async () => {
    const page = makeInputFile('html/chat_history.html', '<html><title>Snapchat My Data</title></html>');
    expect(await snapchatImporter.recognise([page])).toEqual([]);
    expect(await snapchatImporter.explain?.(page)).toContain('Export JSON files');
  });

  it('recognises files by name only beside files recognised by content', async () => {
    const files = ['search_history', 'friends', 'account'].map((name) =>
      makeInputFile(`${name}.json`, '[{"Search Term": "x", "Username": "y"}]'),
    );
    expect(await snapchatImporter.recognise(files)).toEqual([]);
  });
});
