import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sendRequest } from '../../src/client/send-request.ts';

async function listen(answer: RequestListener): Promise<URL> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
}

const never = () => new AbortController().signal;

describe('a request to the endpoint', () => {
  it('carries method, headers and body, and is answered with status, headers and body', async () => {
    const url = await listen(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const { authorization, 'content-length': length } = request.headers;
      response.writeHead(201, { 'content-type': 'application/json', 'x-many': ['a', 'b'] });
      response.end(JSON.stringify({ method: request.method, authorization, length, body }));
    });
    const headers = new Headers({ authorization: 'Bearer x' });
    const response = await sendRequest(url, { method: 'POST', headers, body: 'ünö', signal: never() });
    expect(response.status).toBe(201);
    expect(response.headers.get('x-many')).toBe('a, b');
    expect(await response.json()).toEqual({
      method: 'POST',
      authorization: 'Bearer x',
      length: '5',
      body: 'ünö',
    });
  });

  it.each([204, 304])('is answered with %s and no body', async (status) => {
    const url = await listen((_, response) => response.writeHead(status).end());
    const response = await sendRequest(url, { signal: never() });
    expect([response.status, response.body]).toEqual([status, null]);
  });

  it('follows nothing: where an answer points is for whoever asked', async () => {
    const asked: string[] = [];
    const url = await listen((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    const response = await sendRequest(url, { signal: never() });
    expect([response.status, response.headers.get('location'), asked]).toEqual([307, '/elsewhere', ['/mcp']]);
  });

  it('gives what has come of a long answer before the rest is there', async () => {
    const url = await listen((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
    });
    const response = await sendRequest(url, { signal: never() });
    const { value } = (await response.body?.getReader().read()) ?? {};
    expect(new TextDecoder().decode(value)).toBe('data: 1\n\n');
  });

  it('ends when it is called off, before an answer and while one comes', async () => {
    const silent = await listen(() => {});
    const early = new AbortController();
    const asked = sendRequest(silent, { signal: early.signal });
    early.abort();
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' });

    const slow = await listen((_, response) => response.writeHead(200).write('one'));
    const late = new AbortController();
    const response = await sendRequest(slow, { signal: late.signal });
    late.abort();
    await expect(response.text()).rejects.toThrow();
  });

  it('fails where nobody listens', async () => {
    await expect(sendRequest(new URL('http://127.0.0.1:1/mcp'), { signal: never() })).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
  });
});
