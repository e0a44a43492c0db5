import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import { clientGrantTypes } from '../../../src/oauth/documents/check-document.ts';
import { findPinnedDocument } from '../../../src/oauth/documents/pinned-documents.ts';
import { at, createTrial, PUBLIC_ADDRESS, refusal } from './document-host.ts';

const ID = 'https://doc.example/client.json';
const body = JSON.stringify({
  client_id: ID,
  client_name: 'Doc',
  redirect_uris: ['https://doc.example/cb'],
  logo_uri: 'https://doc.example/logo.png',
});
const json = { 'content-type': 'application/json' };
const serve: RequestListener = (_request, response) => response.writeHead(200, json).end(body);

describe('A-08 client metadata fetch', () => {
  it('returns the normalised document and sends no data of the server', async () => {
    let headers: IncomingHttpHeaders = {};
    const { host, fetchDocument } = await createTrial((request, response) => {
      headers = request.headers;
      const kept = { ...json, 'cache-control': 'max-age=600' };
      response.writeHead(200, { ...kept, 'set-cookie': 'a=b', expires: '0' }).end(body);
    });
    const response = await fetchDocument(ID);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toEqual({ ...json, 'cache-control': 'max-age=600' });
    expect(await response.json()).toEqual({
      client_id: ID,
      client_name: 'Doc',
      redirect_uris: ['https://doc.example/cb'],
      grant_types: clientGrantTypes,
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'web',
    });
    const { host: sentTo, ...rest } = headers;
    expect(sentTo).toMatch(/^doc\.example(:\d+)?$/);
    expect(rest).toEqual({
      accept: 'application/json',
      'accept-encoding': 'identity',
      connection: 'close',
      'user-agent': 'pdpp',
    });
    expect(host.seen).toEqual({ connections: 1, dialled: [PUBLIC_ADDRESS] });
  });

  it.each([
    ...['127.0.0.1', '10.1.2.3', '100.64.0.1', '169.254.169.254', '172.16.0.1', '192.168.1.1', '0.0.0.0'],
    ...['224.0.0.1', '::1', '::', 'fe80::1', 'fc00::1', 'ff02::1', '::ffff:7f00:1', '::ffff:127.0.0.1'],
    ...['64:ff9b::7f00:1', '2002:7f00:1::', '2001::1', '2001:db8::1', 'nonsense'],
  ])('does not connect to a host at %s', async (address) => {
    const { host, fetchDocument } = await createTrial(serve, { answers: [at(address)] });
    expect(await refusal(fetchDocument(ID))).toContain('special-purpose');
    expect(host.seen).toEqual({ connections: 0, dialled: [] });
  });

  it.each([[at(PUBLIC_ADDRESS, '127.0.0.1')], [at('::1', PUBLIC_ADDRESS)], [[]]])(
    'does not connect when not all of %j are public',
    async (addresses) => {
      const { host, fetchDocument } = await createTrial(serve, { answers: [addresses] });
      expect(await refusal(fetchDocument(ID))).toContain('special-purpose');
      expect(host.seen).toEqual({ connections: 0, dialled: [] });
    },
  );

  it.each([
    ...['https://127.0.0.1/c', 'https://127.1/c', 'https://0x7f000001/c', 'https://2130706433/c'],
    ...['https://0177.0.0.1/c', 'https://0/c', 'https://%31%32%37.0.0.1/c', 'https://127.0.0.1./c'],
    ...['https://169.254.169.254/c', 'https://[::]/c', 'https://[::1]/c', 'https://[::ffff:127.0.0.1]/c'],
    'https://[64:ff9b::7f00:1]/c',
  ])('does not connect to the literal %s', async (url) => {
    const { host, lookups, fetchDocument } = await createTrial(serve);
    expect(await refusal(fetchDocument(url))).toContain('special-purpose');
    expect(lookups).toEqual([]);
    expect(host.seen.connections).toBe(0);
  });

  it('connects to the checked address, also after DNS rebinding', async () => {
    const answers = [at(PUBLIC_ADDRESS), at('127.0.0.1')];
    const { host, lookups, fetchDocument } = await createTrial(serve, { answers });
    await fetchDocument(ID);
    expect(lookups).toEqual(['doc.example']);
    expect(host.seen.dialled).toEqual([PUBLIC_ADDRESS]);
    expect(await refusal(fetchDocument(ID))).toContain('special-purpose');
    expect(host.seen.connections).toBe(1);
  });

  it.each([
    ...['http://doc.example/c', 'https://u@doc.example/c', 'https://u:p@doc.example/c'],
    ...['https://doc.example', 'https://doc.example/', 'https://doc.example/c#f', 'https://doc.example\\c'],
    ...['https://doc.example/a/../c', 'https://doc.example/%2e%2E/c', 'ftp://doc.example/c'],
    ...['file:///etc/hosts', 'client_1', ''],
  ])('does not look up %j', async (url) => {
    const { host, lookups, fetchDocument } = await createTrial(serve);
    expect(await refusal(fetchDocument(url))).toContain('not the URL of a document');
    expect(lookups).toEqual([]);
    expect(host.seen.connections).toBe(0);
  });

  it('refuses a certificate of another name, and an untrusted one', async () => {
    const { fetchDocument } = await createTrial(serve);
    expect(await refusal(fetchDocument('https://doc.test/client.json'))).toContain('altnames');
    const { fetchDocument: fetchUntrusting } = await createTrial(serve, { ca: [] });
    expect(await refusal(fetchUntrusting(ID))).toContain('self-signed');
  });

  it('runs at most ten fetches at once, and recovers', async () => {
    const waiting: (() => void)[] = [];
    const { host, fetchDocument } = await createTrial((_request, response) => {
      waiting.push(() => response.writeHead(200, json).end(body));
    });
    const fetches = Array.from({ length: 10 }, () => fetchDocument(ID));
    expect(await refusal(fetchDocument(ID))).toContain('Too many');
    await expect.poll(() => waiting.length).toBe(10);
    for (const finish of waiting.splice(0)) finish();
    expect((await Promise.all(fetches)).map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(host.seen.connections).toBe(10);
    const next = fetchDocument(ID);
    await expect.poll(() => waiting.length).toBe(1);
    waiting[0]?.();
    expect((await next).status).toBe(200);
  });
});

describe('A-09 pinned and other documents', () => {
  it('answers for a pinned client without the network', async () => {
    const { host, lookups, fetchDocument } = await createTrial(serve);
    const clientId = 'https://claude.ai/oauth/claude-code-client-metadata';
    const response = await fetchDocument(clientId);
    expect(Object.fromEntries(response.headers)).toEqual(json);
    expect(await response.json()).toEqual(findPinnedDocument(clientId));
    expect(lookups).toEqual([]);
    expect(host.seen.connections).toBe(0);
  });

  it.each([
    'https://doc.example:443/client.json',
    'https://DOC.example/client.json',
    'https://doc.example/client.json/',
    'https://doc.example/client.json?x=1',
  ])('takes %s for another client: fetched, and refused for the id inside', async (nearMiss) => {
    const someDocument = findPinnedDocument('https://chatgpt.com/oauth/client.json');
    const { host, fetchDocument } = await createTrial(serve, {
      findPinned: (clientId) => (clientId === ID ? someDocument : undefined),
    });
    expect((await fetchDocument(ID)).status).toBe(200);
    expect(host.seen.connections).toBe(0);
    expect(await refusal(fetchDocument(nearMiss))).toContain('another one');
    expect(host.seen.connections).toBe(1);
  });
});

describe('A-10 client metadata cache', () => {
  it('does not cache failures: 404 first, then the document', async () => {
    let asked = 0;
    const { fetchDocument } = await createTrial((_request, response) => {
      asked += 1;
      response.writeHead(asked === 1 ? 404 : 200, json).end(body);
    });
    expect(await refusal(fetchDocument(ID))).toContain('not 200');
    expect((await fetchDocument(ID)).status).toBe(200);
  });
});
