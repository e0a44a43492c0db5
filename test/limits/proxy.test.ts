import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  addressKey,
  createProxyList,
  findClient,
  isAddressRange,
  unmapIpv4,
} from '../../src/limits/proxies.ts';
import { createBrowser } from '../support/browser.ts';
import { CALLBACK, PASSPHRASE, setCheapPassphrase } from '../support/oauth-client.ts';
import { type Listening, startListening } from '../support/servers/servers.ts';
import { createWorld, type World } from '../support/world.ts';

const PUBLIC = 'https://me.example';
const ATTACKER = '203.0.113.5';
const OWNER = '198.51.100.7';

let world: World;
let server: Listening | undefined;
beforeEach(async () => {
  world = await createWorld({ clock: 'real' });
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  world.close();
});

/** A server behind a proxy on this computer, which adds the address it was called from. */
async function startBehindProxy(trustedProxies: string[]) {
  server = await startListening(world, { publicUrl: PUBLIC, hosts: new Set(['me.example']), trustedProxies });
  const port = Number(new URL(server.origin).port);
  return (from: string, claimed = '') =>
    async (path: string, init: RequestInit = {}): Promise<Response> => {
      const { request } = await import('node:http');
      return new Promise((resolve, reject) => {
        const sent = request(
          {
            port,
            host: '127.0.0.1',
            path,
            method: init.method ?? 'GET',
            headers: {
              ...(init.headers as Record<string, string>),
              host: 'me.example',
              'x-forwarded-for': claimed === '' ? from : `${claimed}, ${from}`,
            },
          },
          async (answer) => {
            const chunks: Buffer[] = [];
            for await (const chunk of answer) chunks.push(chunk as Buffer);
            const headers = new Headers();
            for (let i = 0; i < answer.rawHeaders.length; i += 2)
              headers.append(answer.rawHeaders[i] as string, answer.rawHeaders[i + 1] as string);
            const status = answer.statusCode as number;
            resolve(
              new Response([204, 303, 304].includes(status) ? null : Buffer.concat(chunks), {
                status,
                headers,
              }),
            );
          },
        );
        sent.on('error', reject);
        sent.end(init.body as string | undefined);
      });
    };
}
type Send = (path: string, init?: RequestInit) => Promise<Response>;

const trySignIn = async (send: Send, passphrase: string) => {
  const browser = createBrowser(send, PUBLIC);
  const { url, status } = await browser.submit(await browser.open('/login'), { passphrase });
  return url.endsWith('/dashboard') ? 'in' : status;
};
const register = async (send: Send) => {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ client_name: 'App', redirect_uris: [CALLBACK] });
  return (await send('/oauth/register', { method: 'POST', headers, body })).status;
};
const times = async <T>(count: number, work: () => Promise<T>): Promise<T[]> => {
  const results: T[] = [];
  for (let i = 0; i < count; i += 1) results.push(await work());
  return results;
};

describe.each([
  ['that is trusted', ['127.0.0.1']],
  ['that was not named', []],
])('behind a proxy %s', (_, trusted) => {
  it('A-15 ten wrong passphrases by anyone do not lock the owner out of a new browser', async () => {
    await setCheapPassphrase(world);
    const from = await startBehindProxy(trusted);
    const tried = await times(10, () => trySignIn(from(ATTACKER), 'wrong passphrase'));
    expect(tried).toEqual(Array(10).fill(401));
    expect(await trySignIn(from(OWNER), PASSPHRASE)).toBe('in');
  });

  it('A-12 60 registrations by anyone do not block all apps', async () => {
    const from = await startBehindProxy(trusted);
    expect(await times(60, () => register(from(ATTACKER)))).toEqual(Array(60).fill(201));
    expect(await register(from(OWNER))).toBe(201);
  });
});

describe('behind a trusted proxy', () => {
  it('A-15 limits guesses by the address that the proxy saw', async () => {
    await setCheapPassphrase(world);
    const from = await startBehindProxy(['127.0.0.1']);
    let guess = 0;
    const tried = await times(12, () => trySignIn(from(ATTACKER, `10.0.0.${guess++}`), 'wrong passphrase'));
    expect(tried).toEqual([...Array(10).fill(401), 429, 429]);
    expect(await trySignIn(from(OWNER), PASSPHRASE)).toBe('in');
  });

  it('A-15 one IPv6 network is one address', async () => {
    const from = await startBehindProxy(['127.0.0.0/8', '::1']);
    let host = 1;
    const registered = await times(62, () => register(from(`2001:db8:1:2::${(host++).toString(16)}`)));
    expect(registered).toEqual([...Array(60).fill(201), 429, 429]);
    expect(await register(from('2001:db8:1:3::1'))).toBe(201);
  });
});

describe('behind an unconfigured proxy', () => {
  it('A-15 limits guesses for minutes and names another way to sign in', async () => {
    await setCheapPassphrase(world);
    const from = await startBehindProxy([]);
    const tried = await times(31, () => trySignIn(from(ATTACKER), 'wrong passphrase'));
    expect(tried).toEqual([...Array(30).fill(401), 429]);
    const browser = createBrowser(from(OWNER), PUBLIC);
    const page = await browser.submit(await browser.open('/login'), { passphrase: PASSPHRASE });
    expect(Number(page.headers.get('retry-after'))).toBeLessThanOrEqual(300);
    expect(page.text).toContain('pdpp owner reset');
  });

  it('logs once which setting is missing', async () => {
    const from = await startBehindProxy([]);
    await times(3, () => register(from(ATTACKER)));
    const hints = world.logged.filter((line) => line.includes('--trusted-proxy'));
    expect(hints).toHaveLength(1);
    expect(hints[0]).toContain('127.0.0.1');
    expect(hints[0]).not.toContain(ATTACKER);
  });
});

describe('the address of a client', () => {
  const isProxy = createProxyList(['127.0.0.1', '10.0.0.0/8', '2001:db8::/32']);

  it.each([
    ['is the peer, where that is no proxy of ours', '198.51.100.9', '1.2.3.4', '198.51.100.9'],
    ['is the peer without the header', '127.0.0.1', undefined, '127.0.0.1'],
    ['is the last that the proxy added', '127.0.0.1', '6.6.6.6, 1.2.3.4', '1.2.3.4'],
    ['is found behind several proxies', '127.0.0.1', '6.6.6.6, 1.2.3.4, 10.1.1.1', '1.2.3.4'],
    ['is found behind a proxy that speaks IPv6', '2001:db8::5', '1.2.3.4', '1.2.3.4'],
    ['is plain where it came over an IPv6 socket', '127.0.0.1', '::ffff:1.2.3.4', '1.2.3.4'],
    ['is the first proxy, where all are proxies', '127.0.0.1', '10.2.2.2, 10.1.1.1', '10.2.2.2'],
    ['is not what cannot be read', '127.0.0.1', '1.2.3.4, unknown', '127.0.0.1'],
    ['is not behind what cannot be read', '127.0.0.1', '1.2.3.4, _x, 10.1.1.1', '10.1.1.1'],
    ['is no address with a port', '127.0.0.1', '1.2.3.4:80', '127.0.0.1'],
    ['is not empty', '127.0.0.1', '', '127.0.0.1'],
    ['is no octal number', '127.0.0.1', '010.0.0.1', '127.0.0.1'],
  ])('%s', (_, peer, header, client) => {
    expect(findClient(peer, header, isProxy)).toBe(client);
  });

  it('is the address in IPv4 and the network in IPv6, in any notation', () => {
    expect(addressKey('1.2.3.4')).toBe('1.2.3.4');
    for (const same of [
      '2001:db8:1:2::1',
      '2001:0db8:0001:0002:ffff:1:2:3',
      '2001:DB8:1:2::',
      '2001:db8:1:2::1%eth0',
    ])
      expect(addressKey(same)).toBe('2001:db8:1:2::/64');
    expect(addressKey('::1')).toBe('0:0:0:0::/64');
    expect(addressKey('fe80::1')).toBe('fe80:0:0:0::/64');
    expect(addressKey('64:ff9b::1.2.3.4')).toBe('64:ff9b:0:0::/64');
    expect(addressKey(unmapIpv4('::FFFF:1.2.3.4'))).toBe('1.2.3.4');
    expect(addressKey('unknown')).toBe('unknown');
  });

  it('of a proxy is an address or a range', () => {
    for (const good of ['127.0.0.1', '::1', '10.0.0.0/8', '0.0.0.0/0', 'fd00::/8'])
      expect(isAddressRange(good)).toBe(true);
    for (const bad of [
      '',
      'localhost',
      '10.0.0.0/33',
      '10.0.0.0/',
      '10.0.0/8',
      '1.2.3.4/8/9',
      'fd00::/129',
      '*',
    ])
      expect(isAddressRange(bad)).toBe(false);
  });
});
