import type { FloorCall } from './floor.ts';
import { HttpConnection, type HttpRequest } from './http-connection.ts';
import type { Target } from './load.ts';

export interface ToolCall {
  readonly name: string;
  readonly arguments: object;
}

export type Call = ToolCall | 'tools/list';

/** The protocol revisions that clients speak today: 2025 with plain messages, 2026 with an envelope in each. */
export const ERAS = { '2025': '2025-06-18', '2026': '2026-07-28' } as const;
export type Era = keyof typeof ERAS;

/** An HTTP server, and how a call to it is written. */
export interface HttpTarget<Asked> extends Target<HttpRequest> {
  write(call: Asked): HttpRequest;
}

interface Listening {
  readonly port: number;
  readCpu(): number;
  readDatabaseCpu?(): number;
}

export function mcpTarget(server: Listening, token: string, era: Era = '2026'): HttpTarget<Call> {
  return {
    ...httpTarget(server),
    write: (call) =>
      writeRequest('/mcp', writeMessage(call, era), {
        authorization: `Bearer ${token}`,
        ...mcpHeaders(call, era),
      }),
  };
}

export function bareTarget(server: Listening): HttpTarget<FloorCall> {
  return {
    ...httpTarget(server),
    write: (call) => writeRequest('/call', JSON.stringify(call)),
  };
}

/** A server whose answers are checked: status 200 and no error of a tool or of the protocol. */
export function httpTarget({ port, readCpu, readDatabaseCpu }: Listening): Target<HttpRequest> {
  return {
    readCpu,
    readDatabaseCpu,
    connect() {
      const connection = new HttpConnection(port);
      return {
        async send(request) {
          const { status, body } = await connection.send(request);
          if (status !== 200 || isError(body)) throw new Error(`answered ${status}: ${body.slice(0, 300)}`);
          return body;
        },
        close: () => connection.close(),
      };
    },
  };
}

export function mcpHeaders(call: Call, era: Era): Record<string, string> {
  const headers = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': ERAS[era] };
  if (era === '2025') return headers;
  return call === 'tools/list'
    ? { ...headers, 'mcp-method': call }
    : { ...headers, 'mcp-method': 'tools/call', 'mcp-name': call.name };
}

export function writeMessage(call: Call, era: Era): string {
  const method = call === 'tools/list' ? call : 'tools/call';
  const params = call === 'tools/list' ? {} : call;
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': ERAS[era],
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method,
    params: era === '2026' ? { ...params, _meta } : params,
  });
}

export function writeRequest(
  path: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): HttpRequest {
  const length = String(Buffer.byteLength(body));
  return {
    path,
    body,
    headers: { 'content-type': 'application/json', 'content-length': length, ...headers },
  };
}

/** Returns the message of an answer, whether it came as JSON or as an event stream with one event. */
export function readMessage(body: string): unknown {
  return JSON.parse(body.startsWith('{') ? body : (/^data: (.*)$/m.exec(body)?.[1] ?? ''));
}

export function isError(body: string): boolean {
  return body.includes('"isError":true') || body.includes('"error":{"code":-');
}
