import { expect } from 'vitest';
import type { Variation } from './variation.ts';

const lines = (...values: object[]) => `${values.map((value) => JSON.stringify(value)).join('\n')}\n`;

/** A talk whose nodes follow one another. */
const chatgpt = (messages: readonly object[], more: object = {}) => ({
  title: 'Talk',
  create_time: 1705308060.5,
  mapping: Object.fromEntries(
    messages.map((message, n) => [
      `m${n}`,
      {
        id: `m${n}`,
        message: { id: `m${n}`, author: { role: 'assistant' }, create_time: 1705308060 + n, ...message },
        parent: n === 0 ? null : `m${n - 1}`,
        children: [`m${n + 1}`],
      },
    ]),
  ),
  current_node: `m${messages.length - 1}`,
  conversation_id: 'c1',
  ...more,
});
const said = (text: string) => ({ content: { content_type: 'text', parts: [text] } });

const claudeCode = (line: object) => ({
  parentUuid: null,
  isSidechain: false,
  cwd: '/code/shop',
  sessionId: 's1',
  timestamp: '2026-01-05T10:00:00.000Z',
  ...line,
});
const asked = (content: unknown) =>
  claudeCode({ type: 'user', uuid: 'u', message: { role: 'user', content } });
const answered = (uuid: string, block: object, output: number, model = 'opus') =>
  claudeCode({
    type: 'assistant',
    uuid,
    message: { id: 'msg_1', model, content: [block], usage: { input_tokens: 10, output_tokens: output } },
  });

const codex = (type: string, payload: object) => ({ timestamp: '2026-01-05T10:00:00Z', type, payload });

/** Talks with assistants as their programs have written them over the years. */
export const assistantVariations: readonly Variation[] = [
  {
    name: 'sources and things that the app draws as chips',
    format: 'chatgpt',
    files: {
      'conversations.json': JSON.stringify([
        chatgpt([
          {
            ...said(
              'Rain \ue200cite\ue202turn0search1\ue201 in \ue200entity\ue202["city","Oslo","capital"]\ue201.',
            ),
            metadata: {
              content_references: [
                { matched_text: '\ue200cite\ue202turn0search1\ue201', alt: '([Met](https://example.org))' },
              ],
            },
          },
          said('No \ue203source\ue204 known\ue200cite\ue202turn9search9\ue201'),
        ]),
      ]),
    },
    has: {
      messages: [{ text: 'Rain ([Met](https://example.org)) in Oslo.' }, { text: 'No source known' }],
    },
  },
  {
    name: 'content of kinds that are seldom, new or not yet known',
    format: 'chatgpt',
    files: {
      'conversations.json': JSON.stringify([
        chatgpt([
          {
            author: { role: 'tool', name: 'dalle.text2im' },
            content: {
              content_type: 'multimodal_text',
              parts: [
                {
                  content_type: 'image_asset_pointer',
                  asset_pointer: 'file-service://file-1',
                  metadata: { dalle: { prompt: 'A red fox' } },
                },
              ],
            },
          },
          {
            content: {
              content_type: 'multimodal_text',
              parts: [
                {
                  content_type: 'real_time_user_audio_video_asset_pointer',
                  audio_asset_pointer: { asset_pointer: 'sediment://file_2' },
                },
              ],
            },
          },
          { content: { content_type: 'citable_code_output', output_str: 'Four' } },
          { content: { content_type: 'of tomorrow', inside: [{ text: 'New words' }] } },
          { content: 'Bare words' },
        ]),
      ]),
    },
    has: {
      messages: [
        { text: 'A red fox', attachments: ['file-1'] },
        { attachments: ['file_2'] },
        { text: 'Four' },
        { text: 'New words' },
        { text: 'Bare words' },
      ],
    },
  },
  {
    name: 'times written out, in thousandths, and as nothing',
    format: 'chatgpt',
    files: {
      'conversations.json': JSON.stringify([
        chatgpt(
          [
            { ...said('a'), create_time: '2024-01-15T08:41:00.250000+00:00' },
            { ...said('b'), create_time: 1705308061000 },
            { ...said('c'), create_time: 0 },
          ],
          { create_time: '2024-01-15T08:41:00Z', update_time: '2024-01-16T08:41:00Z' },
        ),
      ]),
    },
    has: {
      conversations: [{ created_at: '2024-01-15T08:41:00Z', updated_at: '2024-01-16T08:41:00Z' }],
      messages: [
        { created_at: '2024-01-15T08:41:00.250Z' },
        { created_at: '2024-01-15T08:41:01Z' },
        { created_at: '2024-01-15T08:41:01Z' },
      ],
    },
  },
  {
    name: 'a first message longer than what is looked at',
    format: 'chatgpt',
    files: { 'conversations.json': JSON.stringify([chatgpt([said('long '.repeat(20_000)), said('short')])]) },
    has: { messages: [{}, { text: 'short' }] },
  },
  {
    name: 'tools, what they gave back, and a spoken note',
    format: 'claude',
    files: {
      'conversations.json': JSON.stringify([
        {
          uuid: 'c1',
          name: 'Weather',
          chat_messages: [
            {
              uuid: 'm1',
              sender: 'human',
              text: '',
              content: [{ type: 'voice_note', text: 'Will it rain?' }],
            },
            {
              uuid: 'm2',
              sender: 'assistant',
              text: 'No\n```\nThis block is not supported on your current device yet.\n```',
              content: [
                { type: 'tool_use', name: 'web_search', input: { query: 'weather oslo' } },
                {
                  type: 'tool_result',
                  name: 'web_search',
                  content: [{ type: 'knowledge', title: 'Met', url: 'https://example.org', text: 'Dry' }],
                },
                { type: 'tool_result', name: 'repl', content: 'Printed' },
                { type: 'text', text: 'No' },
              ],
            },
          ],
        },
      ]),
    },
    has: {
      messages: [
        { text: 'Will it rain?' },
        {
          text: 'No',
          tools: ['web_search'],
          commands: ['weather oslo'],
          result_text: 'Met\nhttps://example.org\nDry\n\nPrinted',
        },
      ],
    },
  },
  ...[
    ['titles', { type: 'summary', summary: 'Old', leafUuid: 'l' }],
    ['copies of files', { type: 'file-history-snapshot', messageId: 'm', snapshot: {} }],
  ].map(([name, first]) => ({
    name: `many ${name} before the first word`,
    format: 'claude-code',
    files: { 'x.jsonl': lines(...Array.from({ length: 30 }, () => first as object), asked('Go')) },
    has: { sessions: [{ id: 's1' }], messages: [{ text: 'Go', from_me: true }] },
  })),
  {
    name: 'a first line with a picture in it',
    format: 'claude-code',
    files: {
      'x.jsonl': lines(
        asked([{ type: 'image', source: { type: 'base64', data: 'A'.repeat(90_000) } }]),
        answered('a', { type: 'text', text: 'A cat' }, 5),
      ),
    },
    has: { messages: [{ role: 'user', attachments: ['image'], from_me: true }, { text: 'A cat' }] },
  },
  {
    name: 'commands, what they printed, and what was typed meanwhile',
    format: 'claude-code',
    files: {
      'x.jsonl': lines(
        asked('<command-name>/model</command-name>\n<command-args>opus</command-args>'),
        asked('<local-command-stdout>Set model</local-command-stdout>'),
        asked('<bash-input>ls</bash-input>'),
        asked('Fix it'),
        claudeCode({
          type: 'attachment',
          uuid: 'q',
          attachment: { type: 'queued_command', prompt: 'And test' },
        }),
        answered('a1', { type: 'thinking', thinking: 'Hm' }, 1),
        answered('a2', { type: 'text', text: 'Done' }, 40),
        claudeCode({
          type: 'assistant',
          uuid: 'a3',
          message: { id: 'x', model: '<synthetic>', content: [{ type: 'text', text: 'API Error' }] },
        }),
      ),
    },
    has: {
      messages: [
        { text: '/model opus', from_me: true },
        { from_me: false, is_hidden: true },
        { text: '!ls', from_me: true },
        { text: 'Fix it' },
        { text: 'And test', from_me: true },
        { reasoning_text: 'Hm' },
        { text: 'Done' },
        { text: 'API Error' },
      ],
      // An answer in two lines has cost what the last of them says.
      sessions: [{ title: 'Fix it', model: 'opus', input_tokens: 10, output_tokens: 40 }],
    },
  },
  {
    name: 'one JSON, as the first version wrote it',
    format: 'codex',
    files: {
      'rollout-2025-05-07-s1.json': JSON.stringify({
        session: { timestamp: '2025-05-07T10:00:00.000Z', id: 's1', instructions: '' },
        items: [
          { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go' }] },
          { type: 'function_call', name: 'shell', arguments: '{"cmd":["ls"]}', call_id: 'c' },
          { type: 'function_call_output', call_id: 'c', output: '{"output":"a.txt","metadata":{}}' },
          { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done' }] },
        ],
      }),
    },
    has: {
      messages: [
        { text: 'Go', from_me: true, sent_at: '2025-05-07T10:00:00Z' },
        { commands: ['ls'] },
        { role: 'tool', text: 'a.txt' },
        { text: 'Done' },
      ],
      sessions: [{ id: 's1', title: 'Go' }],
    },
  },
  {
    name: 'long instructions at the beginning, a picture, and a talk made shorter',
    format: 'codex',
    files: {
      'rollout.jsonl': lines(
        codex('session_meta', {
          id: 's1',
          cwd: '/code/shop',
          base_instructions: { text: 'Be good. '.repeat(9_000) },
        }),
        codex('response_item', {
          type: 'message',
          role: 'user',
          content: [{ type: 'input_image', image_url: 'data:,' }],
        }),
        codex('compacted', { message: 'What was said before' }),
      ),
    },
    has: {
      messages: [
        { role: 'user', attachments: ['image'], from_me: true },
        { role: 'system', text: 'What was said before', is_hidden: true },
      ],
      sessions: [{ id: 's1', project: expect.stringMatching('shop') }],
    },
  },
];
