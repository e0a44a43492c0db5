import type { Dialect, Step } from './scripted-model.ts';

interface Request {
  stream?: boolean;
  tools?: { name: string }[];
  messages: { content: string | { type: string }[] }[];
}

/** Anthropic's Messages, which Claude Code and opencode speak. */
export const messages: Dialect = {
  other: { input_tokens: 100 },
  read(path, body) {
    if (!/^\/v1\/messages(\?|$)/.test(path)) return undefined;
    const request = JSON.parse(body) as Request;
    const last = request.messages.at(-1)?.content ?? [];
    return {
      tools: request.tools?.map((tool) => tool.name) ?? [],
      results: typeof last === 'string' ? [] : last.filter((block) => block.type === 'tool_result'),
      streams: request.stream === true,
    };
  },
  write(step, streams) {
    const message = {
      id: 'msg_01',
      type: 'message',
      role: 'assistant',
      model: 'scripted',
      content: [writeBlock(step)],
      stop_reason: step.kind === 'call' ? 'tool_use' : 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 10, output_tokens: 10 },
    };
    if (!streams) return message;
    const { stop_reason, stop_sequence } = message;
    return [
      { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
      {
        type: 'content_block_start',
        index: 0,
        content_block: step.kind === 'call' ? { ...writeBlock(step), input: {} } : { type: 'text', text: '' },
      },
      {
        type: 'content_block_delta',
        index: 0,
        delta:
          step.kind === 'call'
            ? { type: 'input_json_delta', partial_json: JSON.stringify(step.input) }
            : { type: 'text_delta', text: step.text },
      },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason, stop_sequence }, usage: { output_tokens: 10 } },
      { type: 'message_stop' },
    ];
  },
};

function writeBlock(step: Step) {
  return step.kind === 'call'
    ? { type: 'tool_use', id: 'toolu_01', name: step.tool, input: step.input }
    : { type: 'text', text: step.text };
}
