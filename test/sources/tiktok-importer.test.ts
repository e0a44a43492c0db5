import { describe, expect, it } from 'vitest';
import { tiktokImporter } from '../../src/sources/tiktok/tiktok-importer.ts';
import { collect, makeInputFile, readInputFolder } from '../support/input-file.ts';

const read = (name: string) =>
  collect(tiktokImporter, readInputFolder(`test/sources/fixtures/tiktok/${name}`));

describe('TikTok', () => {
  it('reads messages of every chat in UTC, and finds the owner', async () => {
    const { recognised, records, problems, self } = await read('old');
    expect(problems).toEqual([]);
    expect(recognised.map(({ account }) => account)).toEqual(['anna']);
    expect(self).toEqual(['anna']);
    expect(records.messages).toEqual([
      {
        chat_id: 'bo.lind',
        chat: 'bo.lind',
        sender: 'anna',
        from_me: true,
        sent_at: '2023-05-01T10:11:12Z',
        text: 'Did you see the seal?',
      },
      expect.objectContaining({ sender: 'bo.lind', from_me: false, text: expect.stringContaining('/12/') }),
      expect.objectContaining({ chat_id: 'cleo', sender: 'cleo', text: 'Hello' }),
    ]);
    expect(records.chats).toMatchObject([
      { id: 'bo.lind', message_count: 2, participants: ['anna', 'bo.lind'] },
      { id: 'cleo', message_count: 1 },
    ]);
  });

  it('reads viewing, likes, searches, comments and posts', async () => {
    const { records } = await read('old');
    expect(records.viewing).toEqual([
      { url: 'https://www.tiktokv.com/share/video/11/', watched_at: '2023-05-01T10:10:00Z' },
      { url: 'https://www.tiktokv.com/share/video/13/', watched_at: '2023-06-01T22:30:00Z' },
    ]);
    expect(records.likes?.map(({ kind, what, url }) => [kind, what, url])).toEqual([
      ['favorite', 'effect', 'https://www.tiktok.com/sticker/9'],
      ['favorite', 'video', 'https://www.tiktokv.com/share/video/31/'],
      ['like', 'video', 'https://www.tiktokv.com/share/video/11/'],
      ['share', 'video', 'https://www.tiktokv.com/share/video/12/'],
    ]);
    expect(records.people?.map(({ kind, name }) => [kind, name])).toEqual([
      ['follower', 'bo.lind'],
      ['following', 'tide_times'],
      ['blocked', 'spam99'],
    ]);
    expect(records.searches).toEqual([{ query: 'ferry timetable', created_at: '2023-05-03T18:00:00Z' }]);
    expect(records.comments).toMatchObject([{ text: 'Lovely pier' }]);
    expect(records.posts).toMatchObject([{ text: 'First swim', likes: '12', visibility: 'Public' }]);
    expect(records.logins).toMatchObject([
      { ip: '192.0.2.7', device: 'Pixel 6', created_at: '2023-05-02T07:00:00Z' },
    ]);
    expect(records.logins?.[0]?.carrier).toBeUndefined();
  });

  it('keeps every section that has no stream of its own', async () => {
    const { records } = await read('old');
    expect(records.other?.map(({ list, values }) => [list, values])).toEqual([
      [
        'Activity / Hashtag / HashtagList',
        ['HashtagName: harbour', 'HashtagLink: https://www.tiktok.com/tag/harbour'],
      ],
      ['Ads and data / Ad Interests', ['AdInterestCategories: Boats, Tea']],
      [
        'Profile / Profile Information / ProfileMap',
        ['userName: anna', 'bioDescription: Sea and tea', 'emailAddress: anna@example.org'],
      ],
    ]);
  });

  it('reads the names of sections and fields of newer exports', async () => {
    const { records, problems } = await read('new');
    expect(problems).toEqual([]);
    expect(records.messages?.map(({ chat, from_me, text }) => [chat, from_me, text])).toEqual([
      ['bo.lind', true, 'Low tide at six'],
      ['Swimmers', false, 'Saturday?'],
    ]);
    expect(records.viewing).toHaveLength(1);
    expect(records.likes).toEqual([
      expect.objectContaining({ kind: 'repost', url: 'https://www.tiktokv.com/share/video/14/' }),
      expect.objectContaining({ kind: 'favorite', what: 'collection', title: 'Knots' }),
      expect.objectContaining({ kind: 'like', created_at: '2025-05-01T10:11:12Z' }),
    ]);
    expect(records.comments).toMatchObject([
      { text: 'So calm', url: 'https://www.tiktokv.com/share/video/15/', more: ['replies: {"count":2}'] },
    ]);
    expect(records.searches).toMatchObject([{ query: 'tide tables' }]);
    expect(records.posts).toMatchObject([{ text: 'Second swim', sound: 'Waves' }]);
    expect(records.other?.map(({ list }) => list)).toEqual([
      'Your Activity / Activity Summary / ActivitySummaryMap',
      'Profile And Settings / Profile Info / ProfileMap',
      'Tiktok Live / Watch Live History / WatchLiveMap / 7301',
      'Tiktok Live / Watch Live History / WatchLiveMap / 7301 / Comments',
    ]);
  });

  it('asks for JSON if the export is text', async () => {
    const text = 'Date: 2023-05-01 10:11:12 UTC\nLink: https://www.tiktokv.com/share/video/11/\n\n';
    const file = makeInputFile('TikTok/Activity/Browsing History.txt', text);
    expect(await tiktokImporter.recognise([file])).toEqual([]);
    expect(await tiktokImporter.explain?.(file)).toContain('choose JSON');
  });

  it('ignores lists of other services', async () => {
    for (const json of ['{"Activity":{"VideoList":[]}}', '{"a":{"b":{"Following":[{"UserName":"x"}]}}}'])
      expect(await tiktokImporter.recognise([makeInputFile('user_data.json', json)])).toEqual([]);
  });
});
