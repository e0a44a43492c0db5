import type { RequestListener, ServerResponse } from 'node:http';
import https from 'node:https';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTrial, refusal } from './document-host.ts';

const ID = 'https://doc.example/client.json';
const document = { client_id: ID, redirect_uris: ['https://doc.example/cb'] };
const body = JSON.stringify(document);
const json = { 'content-type': 'application/json' };
const serve: RequestListener = (_request, response) => response.writeHead(200, json).end(body);

async function drip(response: ServerResponse, text: string): Promise<void> {
  for (const character of text) {
    if (response.destroyed) return;
    response.write(character);
    await delay(20);
  }
  response.end();
}

describe('A-08 answers of a document host', () => {
  it.each([301, 302, 303, 307, 308])('are not followed: a %i to localhost', async (status) => {
    const { host, lookups, fetchDocument } = await createTrial((_request, response) =>
      response.writeHead(status, { ...json, location: 'https://localhost/inner' }).write('without end'),
    );
    expect(await refusal(fetchDocument(ID))).toContain('not 200');
    expect(lookups).toEqual(['doc.example']);
    expect(host.seen.connections).toBe(1);
    await expect.poll(host.openSockets, { timeout: 1_000 }).toBe(0);
  });

  it.each([201, 203, 206, 304, 400, 404, 500])('are refused with status %i', async (status) => {
    const { fetchDocument } = await createTrial((_request, response) =>
      response.writeHead(status, json).end(body),
    );
    expect(await refusal(fetchDocument(ID))).toContain('not 200');
  });

  it('are refused when they switch the protocol', async () => {
    const { fetchDocument } = await createTrial((request) => {
      request.socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n');
    });
    expect(await refusal(fetchDocument(ID))).toContain('closed without a response');
  });

  it.each([
    ...['application/json', 'application/json; charset=utf-8', 'Application/JSON', 'application/json ;x=1'],
    ...['application/cimd+json', 'application/vnd.example.v1+json'],
  ])('are taken as %s', async (type) => {
    const { fetchDocument } = await createTrial((_request, response) =>
      response.writeHead(200, { 'content-type': type }).end(body),
    );
    expect((await fetchDocument(ID)).headers.get('content-type')).toBe('application/json');
  });

  it.each([
    ...['text/html', 'text/plain', 'text/json', 'application/jsonp', 'application/json-seq', 'json'],
    ...['application/x-json', 'application/xml; a=application/json', 'image/svg+xml', 'application/+json'],
    ...['xapplication/json', undefined],
  ])('are refused as %s', async (type) => {
    const { fetchDocument } = await createTrial((_request, response) =>
      response.writeHead(200, type === undefined ? {} : { 'content-type': type }).end(body),
    );
    expect(await refusal(fetchDocument(ID))).toContain('not JSON');
  });

  it.each(['announced', 'chunked'])('are limited to 5 KiB (%s)', async (way) => {
    const { fetchDocument } = await createTrial((request, response) => {
      const length = Number(/\d+$/.exec(request.url ?? '')?.[0]);
      const clientId = `https://doc.example${request.url}`;
      const text = JSON.stringify({ ...document, client_id: clientId }).padEnd(length);
      response.writeHead(200, way === 'announced' ? { ...json, 'content-length': text.length } : json);
      response.write(text.slice(0, 100));
      response.end(text.slice(100));
    });
    expect((await fetchDocument('https://doc.example/c?length=5120')).status).toBe(200);
    for (const length of [5_121, 6_144, 1_000_000]) {
      expect(await refusal(fetchDocument(`https://doc.example/c?length=${length}`))).toContain('5 KiB');
    }
  });

  it.each([
    ['less than comes', 'content-length: 20\r\n', body.padEnd(6_000)],
    ['more than comes', 'content-length: 5000\r\n', body],
    ['nothing', '', body.padEnd(6_000)],
    ['two things', `content-length: 5\r\ncontent-length: ${body.length}\r\n`, body],
  ])('are refused when their length says %s', async (_what, header, content) => {
    const { fetchDocument } = await createTrial((request) =>
      request.socket.end(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${header}\r\n${content}`),
    );
    await refusal(fetchDocument(ID));
  });

  it.each<[string, string | Buffer]>([
    ['no JSON', '<html>'],
    ['nothing', ''],
    ['a list', '[]'],
    ['bytes that are no text', Buffer.from([0x7b, 0xff, 0x7d])],
    ['compressed', gzipSync(body)],
  ])('are refused when the body is %s', async (_what, content) => {
    const { fetchDocument } = await createTrial((_request, response) =>
      response.writeHead(200, json).end(content),
    );
    await refusal(fetchDocument(ID));
  });
});

describe('A-08 time limit', () => {
  it.each<[string, RequestListener]>([
    ['a body', (_request, response) => void drip(response.writeHead(200, json), body)],
    ['a body that never ends', (_request, response) => void response.writeHead(200, json).write(body)],
    ['headers', (request) => void request.socket.write('HTTP/1.1 200 OK\r\nx-')],
    [
      'interim answers',
      (_request, response) => {
        const timer = setInterval(() => response.writeProcessing(), 20);
        response.on('close', () => clearInterval(timer));
      },
    ],
  ])('ends %s fed drop by drop', async (_what, handler) => {
    const { host, fetchDocument } = await createTrial(handler, { timeoutMs: 300 });
    const start = performance.now();
    await refusal(fetchDocument(ID));
    expect(performance.now() - start).toBeLessThan(2_000);
    expect(host.seen.connections).toBe(1);
    await expect.poll(host.openSockets).toBe(0);
  });

  it('ends a DNS lookup that never answers', async () => {
    const { host, fetchDocument } = await createTrial(serve, {
      timeoutMs: 200,
      lookup: () => new Promise(() => {}),
    });
    expect(await refusal(fetchDocument(ID))).toMatch(/timeout/i);
    expect(host.seen.connections).toBe(0);
  });

  it('ends a handshake that never answers', async () => {
    const silent = createServer();
    const sockets: Socket[] = [];
    silent.on('connection', (socket) => sockets.push(socket.on('error', () => {})));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      silent.close();
      for (const socket of sockets) socket.destroy();
    });
    const { port } = silent.address() as AddressInfo;
    const { fetchDocument } = await createTrial(serve, {
      timeoutMs: 200,
      request: (url, options) => https.request(url, { ...options, hostname: '127.0.0.1', port }),
    });
    expect(await refusal(fetchDocument(ID))).toMatch(/abort|timeout/i);
    expect(sockets).toHaveLength(1);
  });
});
