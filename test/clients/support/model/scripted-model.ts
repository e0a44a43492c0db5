import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a model was asked, whatever the interface. */
export interface Asked {
  readonly tools: readonly string[];
  /** The results of tools, if these are the last thing that was said. */
  readonly results: readonly unknown[];
  readonly streams: boolean;
}

export type Step =
  | { readonly kind: 'call'; readonly tool: string; readonly input: Record<string, unknown> }
  | { readonly kind: 'say'; readonly text: string };

/** How one maker's interface is spoken. */
export interface Dialect {
  /** Undefined where something else than an answer was asked for. */
  read(path: string, body: string): Asked | undefined;
  /** A list is sent as events. */
  write(step: Step, streams: boolean): unknown;
  /** What any other request is answered with. */
  readonly other: unknown;
}

/** A model that calls one tool, once, and is then done. */
export interface ScriptedModel {
  readonly origin: string;
  /** Tools that the model was shown when it made its call, of those whose names begin so, without that. */
  shownTools(prefix: string): string[];
  /** The result of the call as the model saw it; empty if there was none. */
  shownResult(): string;
  close(): void;
}

export async function startScriptedModel(
  dialect: Dialect,
  tool: string,
  input: Record<string, unknown>,
  thinkingMs = 0,
): Promise<ScriptedModel> {
  let tools: readonly string[] = [];
  let result = '';
  const decide = (asked: Asked): Step => {
    if (asked.results.length > 0) result = JSON.stringify(asked.results);
    if (!asked.tools.includes(tool) || asked.results.length > 0) return { kind: 'say', text: 'DONE' };
    tools = asked.tools;
    return { kind: 'call', tool, input };
  };
  const server = createServer(async (request, response) => {
    const body = await readBody(request);
    const asked = request.method === 'POST' ? dialect.read(request.url ?? '', body) : undefined;
    await sleep(thinkingMs);
    const answer = asked === undefined ? dialect.other : dialect.write(decide(asked), asked.streams);
    if (Array.isArray(answer)) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(answer.map(writeEvent).join(''));
    } else {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    shownTools: (prefix) =>
      tools.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length)),
    shownResult: () => result,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function writeEvent(event: { type?: string } | string): string {
  if (typeof event === 'string') return `data: ${event}\n\n`;
  const name = event.type === undefined ? '' : `event: ${event.type}\n`;
  return `${name}data: ${JSON.stringify(event)}\n\n`;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}
