import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A stand-in for the Messages API: it calls one tool, once, and is then done. */
export interface ScriptedModel {
  readonly origin: string;
  /** Names of the tools that the model was shown in the last conversation that had any. */
  shownTools(): string[];
  /** The result of the tool as the model saw it. */
  shownResult(): string;
  close(): void;
}

interface Request {
  stream?: boolean;
  tools?: { name: string }[];
  messages: { role: string; content: string | { type: string; content?: unknown }[] }[];
}

type Block =
  | { type: 'text'; text: string }
  | { type: 'tool_use'; id: string; name: string; input: Record<string, unknown> };

export async function startScriptedModel(
  tool: string,
  input: Record<string, unknown>,
): Promise<ScriptedModel> {
  let tools: string[] = [];
  let result = '';
  const answer = (request: Request): Block => {
    const names = request.tools?.map((one) => one.name) ?? [];
    const last = request.messages.at(-1)?.content ?? [];
    const results = typeof last === 'string' ? [] : last.filter((block) => block.type === 'tool_result');
    if (results.length > 0) result = JSON.stringify(results);
    if (!names.includes(tool) || results.length > 0) return { type: 'text', text: 'DONE' };
    tools = names;
    return { type: 'tool_use', id: 'toolu_01', name: tool, input };
  };

  const server = createServer(async (request, response) => {
    const body = await readBody(request);
    if (!request.url?.startsWith('/v1/messages') || request.method !== 'POST') return sendJson(response, {});
    if (request.url.startsWith('/v1/messages/count_tokens')) return sendJson(response, { input_tokens: 100 });
    const asked = JSON.parse(body) as Request;
    const message = write(answer(asked));
    if (asked.stream) sendEvents(response, message);
    else sendJson(response, message);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    shownTools: () => tools,
    shownResult: () => result,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function write(block: Block) {
  return {
    id: 'msg_01',
    type: 'message',
    role: 'assistant',
    model: 'scripted',
    content: [block],
    stop_reason: block.type === 'tool_use' ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 10 },
  };
}

function sendEvents(response: ServerResponse, message: ReturnType<typeof write>): void {
  const [block] = message.content as [Block];
  const isTool = block.type === 'tool_use';
  const events = [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    {
      type: 'content_block_start',
      index: 0,
      content_block: isTool ? { ...block, input: {} } : { type: 'text', text: '' },
    },
    {
      type: 'content_block_delta',
      index: 0,
      delta: isTool
        ? { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
        : { type: 'text_delta', text: block.text },
    },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: message.stop_reason, stop_sequence: null },
      usage: { output_tokens: 10 },
    },
    { type: 'message_stop' },
  ];
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''));
}

function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}
