import { describe, expect, it } from 'vitest';
import { slackImporter } from '../../src/sources/slack/slack-importer.ts';
import { makeInputFile } from '../support/input-file.ts';
import { fixture, importAll } from './import-export.ts';

describe('Slack', () => {
  it('reads members, channels, direct messages and messages', async () => {
    const result = await importAll(slackImporter, fixture('slack'));
    expect(result.counts).toEqual({ users: 2, channels: 2, messages: 4 });
    expect(result.accounts).toEqual(['T01']);
    expect(result.problems).toEqual(['general/2026-01-05.json item 4: has no timestamp']);
    expect(result.records.channels?.[1]).toMatchObject({
      name: 'Anna Berg, Bo Lind',
      kind: 'direct_message',
      is_private: true,
    });
  });

  it('adds names of people and channels to messages, and the parent’s key to replies', async () => {
    const { records } = await importAll(slackImporter, fixture('slack'));
    const messages = records.messages ?? [];
    const first = messages.find(({ ts }) => ts === '1767607200.000100' && messages.length > 0);
    expect(first).toMatchInlineSnapshot(`
      {
        "attachments": [
          "plan.pdf",
        ],
        "channel": "general",
        "channel_id": "C01",
        "is_edited": true,
        "reactions": [
          "+1",
        ],
        "reply_count": 1,
        "sender": "Anna Berg",
        "sent_at": "2026-01-05T10:00:00Z",
        "text": "Hi @Bo Lind, see the plan (https://example.org/a?b=1&c=2) in #general <3",
        "ts": "1767607200.000100",
        "user_id": "U01",
      }
    `);
    expect(
      messages.map(({ channel, sender, text, parent_id }) => [channel, sender, text, parent_id]),
    ).toMatchInlineSnapshot(`
      [
        [
          "Anna Berg, Bo Lind",
          "Bo Lind",
          "Only for you",
          undefined,
        ],
        [
          "general",
          "Anna Berg",
          "Hi @Bo Lind, see the plan (https://example.org/a?b=1&c=2) in #general <3",
          undefined,
        ],
        [
          "general",
          "Bo Lind",
          "Fine",
          "["C01","1767607200.000100"]",
        ],
        [
          "general",
          "builds",
          "Build 7 is green",
          undefined,
        ],
      ]
    `);
  });

  it('reads a single file of messages under any name', async () => {
    const file = makeInputFile(
      'a.txt',
      '[{"ts": "1434139102.000002", "text": "body", "user": "U1", "channel_name": "random"}]',
    );
    const { records } = await importAll(slackImporter, [file]);
    expect(records.messages).toMatchObject([
      { channel_id: 'random', sender: 'U1', sent_at: '2015-06-12T19:58:22Z' },
    ]);
    const others = ['[{"ts": "2024-01-01T00:00:00Z", "ms_played": 1}]', '[{"id": "C1"}]', '{"ts": 5}'];
    for (const text of others)
      expect(await slackImporter.recognise([makeInputFile('general/2026-01-01.json', text)])).toEqual([]);
  });
});
