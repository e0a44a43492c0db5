import { describe, expect, it } from 'vitest';
import { claudeImporter } from '../../src/sources/claude/claude-importer.ts';
import { makeInputFile } from '../support/input-file.ts';
import { fixture, importAll } from './import-export.ts';

describe('Claude', () => {
  it('reads an export in several folders as one account', async () => {
    const result = await importAll(claudeImporter, fixture('claude'));
    expect(result.counts).toEqual({
      conversations: 2,
      messages: 3,
      memories: 2,
      projects: 1,
      project_docs: 1,
    });
    expect(result.accounts).toEqual(['anna@example.org']);
    expect(result.self).toEqual(['anna@example.org']);
    expect(result.problems).toEqual([]);
  });

  it('reads text from blocks, or from the plain text if there are none', async () => {
    const { records } = await importAll(claudeImporter, fixture('claude'));
    expect(records.messages?.[1]).toMatchInlineSnapshot(`
      {
        "conversation_id": "10000000-0000-4000-8000-000000000001",
        "created_at": "2026-02-01T08:00:09Z",
        "document_text": "List
      - socks",
        "from_me": false,
        "id": "20000000-0000-4000-8000-000000000002",
        "parent_id": "20000000-0000-4000-8000-000000000001",
        "reasoning_text": "It is cold.",
        "result_text": "OK",
        "role": "assistant",
        "text": "Wool, twice.",
        "title": "Packing list",
        "tools": [
          "artifacts",
        ],
      }
    `);
    expect(records.messages?.map(({ text, from_me }) => [text, from_me])).toEqual([
      ['What do I pack for Tromsø?', true],
      ['Wool, twice.', false],
      ['Thanks', true],
    ]);
    expect(records.messages?.[0]).toMatchObject({
      attachments: ['weather.txt', 'map.png'],
      attachment_text: 'minus twelve',
    });
    expect(records.messages?.[0]).not.toHaveProperty('parent_id');
    expect(records.memories?.map(({ text }) => text)).toEqual([
      'Anna likes the north.',
      'The trip is in March.',
    ]);
  });

  it('reads a single conversation, and ignores a list of users alone', async () => {
    const one = { chat_messages: [{ uuid: 'm', sender: 'human', text: 'hi' }], uuid: 'c', name: 'One' };
    const { records } = await importAll(claudeImporter, [makeInputFile('x.bin', JSON.stringify(one))]);
    expect(records.messages).toMatchObject([{ id: 'c/m', conversation_id: 'c', text: 'hi' }]);
    const users = JSON.stringify([{ uuid: 'u', full_name: 'A', email_address: 'a@example.org' }]);
    expect(await claudeImporter.recognise([makeInputFile('users.json', users)])).toEqual([]);
  });

  it('reports a truncated file and imports the part before', async () => {
    const text = JSON.stringify([
      { uuid: 'a', chat_messages: [] },
      { uuid: 'b', chat_messages: [] },
    ]);
    const result = await importAll(claudeImporter, [makeInputFile('c.json', text.slice(0, -10))]);
    expect(result.counts).toEqual({ conversations: 1 });
    expect(result.problems).toEqual(['c.json : is cut off. Download it again.']);
  });
});
