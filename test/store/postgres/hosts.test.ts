import type pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectDatabase } from '../../../src/store/postgres/connect.ts';
import { createHosts } from '../../../src/store/postgres/servers/hosts.ts';
import { createTestDatabase, testSettings } from '../../support/postgres/databases.ts';

/** The same server under two names. */
async function nameTwice(): Promise<{ both: string; first: string; second: string }> {
  const url = await createTestDatabase();
  const [, before, host, after] = /^(.*@)([^/]+)(\/.*)$/.exec(url) as unknown as string[];
  return {
    both: `${before}${host},${host}%2F${after}`,
    first: url,
    second: `${before}${host}%2F${after}`,
  };
}

const isSecond = (client: pg.ClientBase) => (client as pg.Client).host.endsWith('/');

describe('a URL with several servers', () => {
  it('uses the one that answers', async () => {
    const { first } = await nameTwice();
    const url = first.replace('@', '@127.0.0.1:1,');
    const connections = await connectDatabase({ ...testSettings, url }, () => {});
    onTestFinished(() => connections.close());
    const answers = await Promise.all(
      [1, 2, 3].map(() => connections.withConnection('calls', 0, (one) => one.send('select 1'))),
    );
    expect(answers).toEqual(['SELECT', 'SELECT', 'SELECT']);
  });

  it('uses the newest primary, and never an older one again', async () => {
    const { both, first, second } = await nameTwice();
    const timelines = { first: 2, second: 1 };
    const changes: string[] = [];
    const rate = async (client: pg.ClientBase) => (isSecond(client) ? timelines.second : timelines.first);
    const hosts = createHosts(both, rate, (current) => changes.push(current));
    await hosts.choose();
    expect(hosts.current()).toBe(first);
    timelines.second = 3;
    await hosts.choose();
    expect([hosts.current(), changes]).toEqual([second, [second]]);
    timelines.second = 0;
    await hosts.choose();
    expect(hosts.current()).toBe(second);
    await expect(hosts.admit({ host: '/old' } as pg.Client)).rejects.toMatchObject({ code: '25006' });
  });

  it('keeps the present one while none can be used', async () => {
    const { both, first } = await nameTwice();
    const hosts = createHosts(both, () => Promise.reject(new Error('read-only')), expect.unreachable);
    await hosts.choose();
    expect(hosts.current()).toBe(first);
  });
});
