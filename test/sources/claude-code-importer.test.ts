import { describe, expect, it } from 'vitest';
import { claudeCodeImporter } from '../../src/sources/claude-code/claude-code-importer.ts';
import { codexImporter } from '../../src/sources/codex/codex-importer.ts';
import { makeInputFile } from '../support/input-file.ts';
import { fixture, importAll } from './import-export.ts';

describe('Claude Code', () => {
  it('reads a session with its messages and tool output', async () => {
    const result = await importAll(claudeCodeImporter, fixture('claude-code'));
    expect(result.counts).toEqual({ messages: 4, sessions: 1 });
    expect(result.problems).toEqual([expect.stringContaining('line 7: is not valid JSON')]);
    expect(result.records.sessions?.[0]).toMatchInlineSnapshot(`
      {
        "ended_at": "2026-01-05T10:01:00Z",
        "folder": "/home/anna/garden",
        "git_branch": "main",
        "id": "30000000-0000-4000-8000-000000000001",
        "input_tokens": 120,
        "message_count": 2,
        "model": "claude-opus-4-5",
        "output_tokens": 30,
        "project": "garden",
        "started_at": "2026-01-05T10:00:00Z",
        "title": "Water the beds",
        "tool_count": 1,
        "version": "2.1.0",
      }
    `);
    expect(result.records.messages?.[1]).toMatchInlineSnapshot(`
      {
        "commands": [
          "ls beds",
        ],
        "from_me": false,
        "id": "40000000-0000-4000-8000-000000000002",
        "is_hidden": false,
        "model": "claude-opus-4-5",
        "project": "garden",
        "reasoning_text": "Look first.",
        "role": "assistant",
        "sent_at": "2026-01-05T10:00:10Z",
        "session_id": "30000000-0000-4000-8000-000000000001",
        "text": "I look at the beds.",
        "tools": [
          "Bash",
        ],
      }
    `);
    expect(
      result.records.messages?.map(({ role, from_me, is_hidden }) => [role, from_me, is_hidden]),
    ).toEqual([
      ['user', true, false],
      ['assistant', false, false],
      ['tool', false, true],
      ['user', false, true],
    ]);
  });

  it('keeps the log of a subagent apart from its session', async () => {
    const line = (extra: object) =>
      JSON.stringify({ type: 'user', uuid: 'u', sessionId: 's', message: { content: 'Go' }, ...extra });
    const { records } = await importAll(claudeCodeImporter, [
      makeInputFile('s.jsonl', line({})),
      makeInputFile('agent-7.jsonl', line({ isSidechain: true, agentId: '7' })),
    ]);
    expect(records.sessions).toMatchObject([{ id: 's' }, { id: 's/7', parent_id: 's' }]);
    expect(records.messages?.map(({ from_me }) => from_me)).toEqual([true, false]);
  });
});

describe('Codex', () => {
  it('reads newer and older logs', async () => {
    const result = await importAll(codexImporter, fixture('codex'));
    expect(result.counts).toEqual({ messages: 8, sessions: 2 });
    expect(result.problems).toEqual([]);
    expect(result.records.sessions?.[0]).toMatchInlineSnapshot(`
      {
        "ended_at": "2026-01-05T11:00:06Z",
        "folder": "/home/anna/garden",
        "git_branch": "main",
        "id": "50000000-0000-4000-8000-000000000001",
        "input_tokens": 900,
        "message_count": 2,
        "model": "gpt-5-codex",
        "output_tokens": 40,
        "project": "garden",
        "started_at": "2026-01-05T11:00:00Z",
        "title": "Count the seeds",
        "tool_count": 1,
        "version": "0.60.0",
      }
    `);
    expect(
      result.records.messages?.map(({ role, text, commands, from_me }) => [role, text ?? commands, from_me]),
    ).toMatchInlineSnapshot(`
      [
        [
          "user",
          "<environment_context>
        <cwd>/home/anna/garden</cwd>
      </environment_context>",
          false,
        ],
        [
          "user",
          "Count the seeds",
          true,
        ],
        [
          "assistant",
          undefined,
          false,
        ],
        [
          "assistant",
          [
            "wc -l seeds.txt",
          ],
          false,
        ],
        [
          "tool",
          "12 seeds.txt",
          false,
        ],
        [
          "assistant",
          "There are twelve.",
          false,
        ],
        [
          "user",
          "Hello?",
          true,
        ],
        [
          "assistant",
          "Hello.",
          false,
        ],
      ]
    `);
  });

  it('ignores the logs of the other program', async () => {
    expect(await codexImporter.recognise(fixture('claude-code'))).toEqual([]);
    expect(await claudeCodeImporter.recognise(fixture('codex'))).toEqual([]);
  });
});
