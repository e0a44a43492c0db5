import type { Dialect } from './scripted-model.ts';

interface Request {
  stream?: boolean;
  tools?: { function?: { name: string } }[];
  messages: { role: string }[];
}

/** OpenAI's chat completions, which Copilot CLI speaks to a provider of one's own. */
export const chatCompletions: Dialect = {
  other: { object: 'list', data: [] },
  read(path, body) {
    if (!path.endsWith('/chat/completions')) return undefined;
    const request = JSON.parse(body) as Request;
    return {
      tools: request.tools?.flatMap((tool) => tool.function?.name ?? []) ?? [],
      results: request.messages.slice(-1).filter((message) => message.role === 'tool'),
      streams: request.stream === true,
    };
  },
  write(step, streams) {
    const said =
      step.kind === 'call'
        ? { content: null, tool_calls: [writeCall(step.tool, step.input)] }
        : { content: step.text };
    const finish_reason = step.kind === 'call' ? 'tool_calls' : 'stop';
    const answer = { id: 'chatcmpl-1', created: 1, model: 'scripted' };
    const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };
    const message = { role: 'assistant', ...said };
    if (!streams) {
      return { ...answer, object: 'chat.completion', choices: [{ index: 0, message, finish_reason }], usage };
    }
    const chunk = { ...answer, object: 'chat.completion.chunk' };
    return [
      { ...chunk, choices: [{ index: 0, delta: message, finish_reason: null }] },
      { ...chunk, choices: [{ index: 0, delta: {}, finish_reason }], usage },
      '[DONE]',
    ];
  },
};

function writeCall(name: string, input: Record<string, unknown>) {
  return { index: 0, id: 'call_01', type: 'function', function: { name, arguments: JSON.stringify(input) } };
}
