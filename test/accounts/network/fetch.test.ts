import type { IncomingMessage, RequestListener } from 'node:http';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { createGzip, gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createNetwork, type NetworkOptions } from '../../../src/accounts/network/create-network.ts';
import type { FetchLimits } from '../../../src/accounts/network.ts';
import { SyncError } from '../../../src/accounts/sync-source.ts';
import { type Certificate, makeCertificate } from '../../support/tls/make-certificate.ts';

const authority = makeCertificate({ names: [], isAuthority: true });
const DAY_MS = 86_400_000;
const certificates = {
  good: makeCertificate({ names: ['home.test', '127.0.0.1'], issuer: authority }),
  expired: makeCertificate({
    names: ['home.test'],
    issuer: authority,
    from: new Date(Date.now() - 9 * DAY_MS),
    until: new Date(Date.now() - DAY_MS),
  }),
  early: makeCertificate({ names: ['home.test'], issuer: authority, from: new Date(Date.now() + DAY_MS) }),
  otherName: makeCertificate({ names: ['other.test'], issuer: authority }),
  selfSigned: makeCertificate({ names: ['home.test'] }),
};

async function listen(server: net.Server): Promise<number> {
  const sockets = new Set<Duplex>();
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

const serve = (handler: RequestListener, certificate: Certificate = certificates.good) =>
  listen(https.createServer({ cert: certificate.cert, key: certificate.key }, handler));

const toLoopback = async () => [{ address: '127.0.0.1', family: 4 }];
const ours = (more: Partial<NetworkOptions> = {}) =>
  createNetwork({ allowPrivate: true, ca: authority.cert, lookup: toLoopback, ...more });
const limits = (more: Partial<FetchLimits> = {}): FetchLimits => ({
  maxBytes: 100_000,
  timeoutMs: 5_000,
  signal: new AbortController().signal,
  ...more,
});

async function failure(work: Promise<unknown>): Promise<SyncError> {
  const error = await work.then(
    () => expect.fail('it did not fail'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(SyncError);
  return error as SyncError;
}

async function readBody(work: Promise<Response>): Promise<string> {
  return (await work).text();
}

describe('the guarded fetch', () => {
  it('sends the request and returns the response', async () => {
    const seen: { method: string | undefined; headers: IncomingMessage['headers']; body: string }[] = [];
    const port = await serve(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      seen.push({ method: request.method, headers: request.headers, body });
      response.writeHead(207, { 'content-encoding': 'gzip', etag: '"1"' }).end(gzipSync('hello'));
    });
    const url = `https://home.test:${port}/dav`;
    const init = { method: 'PROPFIND', headers: { depth: '1', authorization: 'Basic x' }, body: '<a/>' };
    const response = await ours().fetch(url, init, limits());
    expect([response.status, response.url, response.headers.get('etag')]).toEqual([207, url, '"1"']);
    expect(await response.text()).toBe('hello');
    expect(seen).toMatchObject([{ method: 'PROPFIND', body: '<a/>' }]);
    expect(seen[0]?.headers).toMatchObject({
      depth: '1',
      authorization: 'Basic x',
      'accept-encoding': 'gzip',
    });
  });

  it('reads empty responses', async () => {
    const port = await serve((_request, response) => response.writeHead(304, { etag: 'x' }).end());
    const response = await ours().fetch(`https://home.test:${port}/`, {}, limits());
    expect([response.status, response.body]).toEqual([304, null]);
  });

  it.each(['POST', 'PUT', 'DELETE', 'MKCOL', 'PROPPATCH', 'HEAD'])('does not send %s', async (method) => {
    await expect(ours().fetch('https://home.test/', { method }, limits())).rejects.toThrow('reading');
  });

  it.each([
    ['expired', 'has expired'],
    ['early', 'not valid yet'],
    ['otherName', 'for another name'],
    ['selfSigned', 'self-signed'],
  ] as const)('names a certificate that is %s', async (name, text) => {
    let requests = 0;
    const port = await serve((_request, response) => {
      requests += 1;
      response.end();
    }, certificates[name]);
    const error = await failure(ours().fetch(`https://home.test:${port}/`, {}, limits()));
    expect([error.code, error.message]).toEqual(['certificate', expect.stringContaining(text)]);
    const tls = await failure(ours().connectTls('home.test', port, limits().signal));
    expect([tls.code, tls.message]).toEqual([error.code, error.message]);
    expect(requests).toBe(0);
  });

  it('trusts an authority of the owner only if its certificate was given', async () => {
    const port = await serve((_request, response) => response.end('ok'));
    const without = createNetwork({ allowPrivate: true, lookup: toLoopback });
    const error = await failure(without.fetch(`https://home.test:${port}/`, {}, limits()));
    expect([error.code, error.message]).toEqual([
      'certificate',
      expect.stringContaining('unknown authority'),
    ]);
    expect(await readBody(ours().fetch(`https://home.test:${port}/`, {}, limits()))).toBe('ok');
  });

  it.each(['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', 'fd00::1', '::ffff:10.0.0.1'])(
    'refuses %s unless the owner allowed private addresses',
    async (address) => {
      const lookup = async () => [{ address, family: address.includes(':') ? 6 : 4 }];
      const network = createNetwork({ allowPrivate: false, lookup });
      for (const work of [
        network.fetch('https://home.test/', {}, limits()),
        network.resolve('home.test', limits().signal),
        network.connectTls('home.test', 993, limits().signal),
      ])
        expect((await failure(work)).code).toBe('private_address');
    },
  );

  it('refuses link-local addresses always', async () => {
    const lookup = async () => [{ address: '169.254.169.254', family: 4 }];
    const error = await failure(ours({ lookup }).fetch('https://home.test/', {}, limits()));
    expect(error.code).toBe('private_address');
  });

  it('uses plain HTTP on loopback only, and only if private addresses are allowed', async () => {
    const port = await listen(http.createServer((_request, response) => response.end('plain')));
    expect(await readBody(ours().fetch(`http://home.test:${port}/`, {}, limits()))).toBe('plain');
    const lookup = async () => [{ address: '192.168.1.1', family: 4 }];
    for (const network of [ours({ lookup }), createNetwork({ allowPrivate: false, lookup: toLoopback })])
      expect((await failure(network.fetch(`http://home.test:${port}/`, {}, limits()))).code).toBe(
        'not_encrypted',
      );
  });
});

describe('redirects', () => {
  const redirecting = (location: (port: number) => string) => {
    let requests = 0;
    const started = serve((request, response) => {
      requests += 1;
      if (request.url === '/end')
        response.end(`${request.method} ${request.headers.authorization ?? 'none'}`);
      else
        response.writeHead(301, { location: location((request.socket.address() as AddressInfo).port) }).end();
    });
    return { started, count: () => requests };
  };
  const credentials = { headers: { authorization: 'Basic x', cookie: 'a=b' } };

  it('are followed to the same origin with credentials', async () => {
    const { started } = redirecting(() => '/end');
    const response = ours().fetch(`https://home.test:${await started}/`, credentials, limits());
    expect(await readBody(response)).toBe('GET Basic x');
    expect((await response).url).toMatch(/\/end$/);
  });

  it('are not followed to another host', async () => {
    const { started, count } = redirecting((port) => `https://other.test:${port}/end`);
    const fetched = ours().fetch(`https://home.test:${await started}/`, credentials, limits());
    expect((await failure(fetched)).code).toBe('protocol');
    expect(count()).toBe(1);
  });

  it('to another host carry no credentials, and lead to public addresses only', async () => {
    const other = await serve((request, response) => {
      response.end(`${request.headers.authorization ?? 'none'} ${request.headers.cookie ?? 'none'}`);
    }, certificates.otherName);
    const { started, count } = redirecting(() => `https://other.test:${other}/end`);
    const dialled: string[] = [];
    const lookup = async (name: string) => {
      dialled.push(name);
      return toLoopback();
    };
    const open = limits({ redirects: 'other-hosts' });
    const refused = ours({ lookup }).fetch(`https://home.test:${await started}/`, credentials, open);
    expect((await failure(refused)).code).toBe('private_address');
    expect(dialled).toEqual(['home.test', 'other.test']);
    expect(count()).toBe(1);
  });

  it.each([
    ['http://home.test/', 'not_encrypted'],
    ['file:///etc/passwd', 'not_encrypted'],
    ['https://user:pass@home.test/', 'protocol'],
    ['https://[', 'protocol'],
  ])('to %s are refused', async (location, code) => {
    const { started, count } = redirecting(() => location);
    const open = limits({ redirects: 'other-hosts' });
    const error = await failure(ours().fetch(`https://home.test:${await started}/`, {}, open));
    expect(error.code).toBe(code);
    expect(count()).toBe(1);
  });

  it('end after five', async () => {
    const { started, count } = redirecting(() => '/again');
    const error = await failure(ours().fetch(`https://home.test:${await started}/`, {}, limits()));
    expect([error.code, count()]).toEqual(['protocol', 6]);
  });
});

describe('limits', () => {
  it('end a body that is too long, whatever its length claims', async () => {
    const port = await serve((request, response) => {
      if (request.url === '/claim') response.writeHead(200, { 'content-length': 200_000 });
      const write = () => {
        while (!response.destroyed && response.write(Buffer.alloc(16_384)));
      };
      response.on('drain', write);
      write();
    });
    for (const path of ['/claim', '/endless'])
      expect(
        (await failure(readBody(ours().fetch(`https://home.test:${port}${path}`, {}, limits())))).code,
      ).toBe('too_large');
  });

  it('end a gzip bomb before it is unpacked', async () => {
    let sent = 0;
    const port = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      const gzip = createGzip();
      gzip.on('data', (chunk: Buffer) => {
        sent += chunk.length;
      });
      gzip.pipe(response);
      gzip.end(Buffer.alloc(64 * 2 ** 20));
    });
    const before = process.memoryUsage().arrayBuffers;
    expect((await failure(readBody(ours().fetch(`https://home.test:${port}/`, {}, limits())))).code).toBe(
      'too_large',
    );
    expect(sent).toBeLessThan(100_000);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(80 * 2 ** 20);
  });

  it('name damaged and unrequested compression', async () => {
    const port = await serve((request, response) => {
      response.writeHead(200, { 'content-encoding': request.url === '/br' ? 'br' : 'gzip' }).end('no gzip');
    });
    for (const path of ['/br', '/gzip'])
      expect(
        (await failure(readBody(ours().fetch(`https://home.test:${port}${path}`, {}, limits())))).code,
      ).toBe('protocol');
  });

  it('end a server that never answers, stops in the middle or sends a byte at a time', async () => {
    const port = await serve((request, response) => {
      if (request.url === '/never') return;
      response.write('a');
      if (request.url !== '/drip') return;
      const timer = setInterval(() => response.write('a'), 20);
      response.on('close', () => clearInterval(timer));
    });
    const network = ours({ times: { idleMs: 150 } });
    for (const path of ['/never', '/stops', '/drip']) {
      const short = limits({ timeoutMs: path === '/drip' ? 400 : 5_000 });
      const error = await failure(readBody(network.fetch(`https://home.test:${port}${path}`, {}, short)));
      expect(error.code).toBe('too_slow');
    }
  });

  it('end a handshake and a lookup that never finish', async () => {
    const port = await listen(net.createServer(() => {}));
    const network = ours({ times: { connectMs: 150 } });
    expect((await failure(network.fetch(`https://home.test:${port}/`, {}, limits()))).code).toBe('too_slow');
    expect((await failure(network.connectTls('home.test', port, limits().signal))).code).toBe('too_slow');
    const silent = ours({ lookup: () => new Promise(() => {}), times: { lookupMs: 100 } });
    expect((await failure(silent.fetch(`https://home.test:${port}/`, {}, limits()))).code).toBe('too_slow');
  });

  it('end with the reason of the caller when it stops', async () => {
    const port = await serve((_request, response) => void response.write('a'));
    const controller = new AbortController();
    const body = readBody(
      ours().fetch(`https://home.test:${port}/`, {}, limits({ signal: controller.signal })),
    );
    setTimeout(() => controller.abort(new Error('paused')), 100);
    await expect(body).rejects.toThrow('paused');
    const again = ours().fetch(`https://home.test:${port}/`, {}, limits({ signal: controller.signal }));
    await expect(again).rejects.toThrow('paused');
  });
});

describe('failures of a connection', () => {
  it('are typed', async () => {
    const closed = await listen(net.createServer((socket) => socket.destroy()));
    const plain = await listen(http.createServer((_request, response) => response.end()));
    const garbage = await listen(net.createServer((socket) => void socket.end('220 ready\r\n')));
    const unused = await listen(net.createServer());
    const codes = async (port: number) =>
      (await failure(ours().fetch(`https://home.test:${port}/`, {}, limits()))).code;
    expect(await codes(closed)).toBe('unreachable');
    expect(await codes(plain)).toBe('not_encrypted');
    expect(await codes(garbage)).toBe('not_encrypted');
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect((await failure(ours().fetch(`https://home.test:1/`, {}, limits()))).message).toMatch(/refused/);
    const lookup = async () => {
      throw Object.assign(new Error('getaddrinfo ENOTFOUND home.test'), { code: 'ENOTFOUND' });
    };
    const missing = await failure(ours({ lookup }).fetch(`https://home.test:${unused}/`, {}, limits()));
    expect([missing.code, missing.message]).toEqual(['unreachable', 'The name of the server was not found.']);
    expect(missing.message + missing.fix).not.toContain('home.test');
  });

  it('name a response that is not HTTP, and a head that is too long', async () => {
    const port = await serve((request, response) => {
      if (request.url === '/long') response.writeHead(200, { 'x-long': 'a'.repeat(60_000) }).end();
      else response.socket?.end('nonsense\r\n\r\n');
    });
    for (const path of ['/long', '/nonsense'])
      expect((await failure(ours().fetch(`https://home.test:${port}${path}`, {}, limits()))).code).toBe(
        'protocol',
      );
  });
});
