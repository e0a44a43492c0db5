import { appendFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import { fileURLToPath } from 'node:url';

/** Set to record what clients send: the file is emptied by hand, and each run appends to it. */
export const isRecording = process.env.PDPP_RECORD_CLIENTS !== undefined;

export const TRAFFIC = fileURLToPath(new URL('../../http/client-traffic/messages.jsonl', import.meta.url));

/** Forwards everything to the server and writes down each message to /mcp. The token and other headers are left out. */
export async function startRecorder(
  client: string,
  port: number,
  serverPort: number,
): Promise<{ close(): void }> {
  const proxy = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    const { method, url: path, headers } = incoming;
    const upstream = request({ host: '127.0.0.1', port: serverPort, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    upstream.on('error', () => outgoing.destroy());
    outgoing.on('close', () => upstream.destroy());
    incoming.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      upstream.write(chunk);
    });
    incoming.on('end', () => {
      upstream.end();
      if (method !== 'POST' || !/^\/mcp\/?$/.test(path ?? '')) return;
      const line = {
        client,
        headers: pickHeaders(headers),
        body: JSON.parse(Buffer.concat(chunks).toString()),
      };
      appendFileSync(TRAFFIC, `${JSON.stringify(line)}\n`);
    });
  });
  await new Promise<void>((resolve) => proxy.listen(port, '127.0.0.1', resolve));
  return {
    close() {
      proxy.close();
      proxy.closeAllConnections();
    },
  };
}

function pickHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const named = Object.entries(headers).filter(([name]) => /^(accept|content-type|mcp-.*)$/.test(name));
  return Object.fromEntries(named.map(([name, value]) => [name, String(value)]));
}
