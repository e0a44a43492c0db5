import { describe, expect, it } from 'vitest';
import { chatgptImporter } from '../../src/sources/chatgpt/chatgpt-importer.ts';
import { makeInputFile } from '../support/input-file.ts';
import { fixture, importAll } from './import-export.ts';

const tree = (text: string) => ({
  title: 'One',
  current_node: 'b',
  mapping: {
    a: {
      id: 'a',
      parent: 'b',
      children: ['b'],
      message: { id: 'a', author: { role: 'user' }, content: { parts: [text] } },
    },
    b: {
      id: 'b',
      parent: 'a',
      children: ['a'],
      message: { id: 'b', author: { role: 'assistant' }, content: { parts: ['Yes.'] } },
    },
  },
});

describe('ChatGPT', () => {
  it('reads an export in several files and finds its owner', async () => {
    const result = await importAll(chatgptImporter, fixture('chatgpt'));
    expect(result.counts).toEqual({ conversations: 2, messages: 5, shared_links: 1 });
    expect(result.accounts).toEqual(['anna@example.org']);
    expect(result.self).toEqual(['anna@example.org']);
    expect(result.problems).toEqual(['conversations-000.json conversation 2: is not a conversation']);
    expect(result.notes).toEqual(['2 empty messages skipped']);
    expect(result.claimed).not.toContain('export_manifest.json');
  });

  it('keeps every branch with its visibility, authors and ratings', async () => {
    const { records } = await importAll(chatgptImporter, fixture('chatgpt'));
    expect(records.conversations?.[0]).toMatchInlineSnapshot(`
      {
        "created_at": "2026-01-01T09:00:00.123Z",
        "id": "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa",
        "is_archived": false,
        "message_count": 3,
        "model": "gpt-5",
        "title": "Sourdough at altitude",
        "updated_at": "2026-01-01T10:00:00.500Z",
      }
    `);
    expect(records.messages?.[3]).toMatchInlineSnapshot(`
      {
        "content_type": "text",
        "conversation_id": "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa",
        "created_at": "2026-01-01T09:00:40Z",
        "from_me": false,
        "id": "11111111-1111-4111-8111-111111111114",
        "is_hidden": false,
        "model": "gpt-5",
        "on_current_branch": true,
        "parent_id": "11111111-1111-4111-8111-111111111113",
        "rating": "thumbs_up",
        "role": "assistant",
        "text": "At altitude the air is thinner,
      so gas expands more.",
        "title": "Sourdough at altitude",
      }
    `);
    expect(
      records.messages?.map(({ role, from_me, on_current_branch, is_hidden, created_at }) => [
        role,
        from_me,
        on_current_branch,
        is_hidden,
        created_at,
      ]),
    ).toMatchInlineSnapshot(`
      [
        [
          "user",
          true,
          true,
          false,
          "2026-01-01T09:00:10.250Z",
        ],
        [
          "assistant",
          false,
          false,
          false,
          "2026-01-01T09:00:20Z",
        ],
        [
          "assistant",
          false,
          true,
          true,
          "2026-01-01T09:00:10.250Z",
        ],
        [
          "assistant",
          false,
          true,
          false,
          "2026-01-01T09:00:40Z",
        ],
        [
          "tool",
          false,
          true,
          true,
          "2026-01-02T09:00:00Z",
        ],
      ]
    `);
    expect(records.messages?.[0]).toMatchObject({
      text: 'Why does my bread rise too fast? 🍞',
      attachments: ['loaf.jpg'],
    });
  });

  it('recognises conversations under any name and in all four formats', async () => {
    for (const shape of [[tree('q')], { conversations: [tree('q')] }, tree('q'), { first: tree('q') }]) {
      const result = await importAll(chatgptImporter, [makeInputFile('renamed.txt', JSON.stringify(shape))]);
      expect(result.counts).toEqual({ conversations: 1, messages: 2 });
    }
  });

  it('separates messages whose short ids repeat across conversations', async () => {
    const text = JSON.stringify({ first: tree('1'), second: tree('2') });
    const { records } = await importAll(chatgptImporter, [makeInputFile('talks.json', text)]);
    expect(records.messages?.map(({ id }) => id)).toEqual(['first/a', 'first/b', 'second/a', 'second/b']);
  });

  it('ignores similar files', async () => {
    const others = [
      '[]',
      '{"mapping": {}}',
      '{"id": 1, "email": "a@example.org"}',
      '[{"uuid": "x", "chat_messages": []}]',
    ];
    for (const text of others)
      expect(await chatgptImporter.recognise([makeInputFile('conversations.json', text)])).toEqual([]);
  });
});
