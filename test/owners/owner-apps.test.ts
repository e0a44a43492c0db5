import { EventEmitter, once } from 'node:events';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type OpenApp, OwnerApps } from '../../src/cli/serve/owner-apps.ts';
import type { RequestBindings } from '../../src/http/choose-app.ts';
import type { HostedOwner } from '../../src/store/owners/owner-list.ts';

const owner = (name: string, createdAt = '2026'): HostedOwner => ({
  ...{ name, host: `${name}.example`, folder: name, createdAt },
});

/** Owners whose apps only note what happens to them. */
function createApps(names: readonly string[], maxApps = 10) {
  const owners = new Map(names.map((name) => [`${name}.example`, owner(name)]));
  const happened: string[] = [];
  const busy = new Set<string>();
  const failing = new Set<string>();
  const lookups: (readonly string[])[] = [];
  const apps = new OwnerApps({
    maxApps,
    idleMs: 20 * 60_000,
    async findByHosts(hosts) {
      lookups.push(hosts);
      return hosts.flatMap((host) => owners.get(host) ?? []);
    },
    async open({ name, createdAt }): Promise<OpenApp> {
      happened.push(`open ${name}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
      if (failing.has(name)) throw new Error('the folder is damaged');
      return {
        fetch: async () => new Response(`${name} ${createdAt}`),
        isBusy: () => busy.has(name),
        close: async () => void happened.push(`close ${name}`),
      };
    },
    onError: ({ name }, error) => happened.push(`${name}: ${(error as Error).message}`),
  });
  /** Sends a request. `end` says that its answer was sent. */
  const begin = (name: string) => {
    const outgoing = new PassThrough();
    const answer = apps.fetch(`${name}.example`, new Request('http://x'), {
      incoming: new EventEmitter(),
      outgoing,
    } as unknown as RequestBindings);
    const end = async () => {
      const closed = once(outgoing, 'close');
      outgoing.destroy();
      await closed;
    };
    return { answer, end };
  };
  const ask = async (name: string) => {
    const { answer, end } = begin(name);
    const response = await answer;
    await end();
    return response === undefined ? undefined : [response.status, await response.text()];
  };
  return { apps, owners, happened, busy, failing, lookups, begin, ask };
}

describe('the apps of owners', () => {
  beforeEach(() => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('open once for many requests, and look nobody up again', async () => {
    const { ask, happened, lookups } = createApps(['alice']);
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask('alice')));
    expect(answers).toEqual(answers.map(() => [200, 'alice 2026']));
    expect(happened).toEqual(['open alice']);
    const before = lookups.length;
    await ask('alice');
    expect(lookups).toHaveLength(before);
  });

  it('do not exist for other hosts, which are looked up twice a second at most', async () => {
    const { ask, lookups, happened, owners } = createApps([]);
    expect(await ask('nobody')).toBeUndefined();
    for (let times = 0; times < 50; times += 1) await ask('nobody');
    expect([lookups.length, happened]).toEqual([1, []]);
    owners.set('nobody.example', owner('nobody'));
    await vi.advanceTimersByTimeAsync(600);
    expect(await ask('nobody')).toEqual([200, 'nobody 2026']);
  });

  it('are at most so many: the one that was used least recently is closed', async () => {
    const { apps, ask, happened } = createApps(['a', 'b', 'c'], 2);
    for (const name of ['a', 'b', 'a', 'c']) await ask(name);
    expect(happened).toEqual(['open a', 'open b', 'close b', 'open c']);
    expect(apps.size).toBe(2);
  });

  it('stay while a request or an import needs them; one more owner is told to come back', async () => {
    const { begin, ask, busy, happened } = createApps(['a', 'b', 'c'], 2);
    const running = begin('a');
    await running.answer;
    busy.add('b');
    await ask('b');
    const refused = await ask('c');
    expect(refused?.[0]).toBe(503);
    expect(refused?.[1]).toContain('This address cannot be served right now.');
    await running.end();
    await vi.advanceTimersByTimeAsync(10);
    expect(await ask('c')).toEqual([200, 'c 2026']);
    expect(happened).toEqual(['open a', 'open b', 'close a', 'open c']);
  });

  it('close when they are idle, but not while an upload waits', async () => {
    const { ask, busy, happened } = createApps(['a', 'b']);
    busy.add('b');
    await ask('a');
    await ask('b');
    await vi.advanceTimersByTimeAsync(19 * 60_000);
    expect(happened).toEqual(['open a', 'open b']);
    await vi.advanceTimersByTimeAsync(2 * 60_000);
    expect(happened).toEqual(['open a', 'open b', 'close a']);
    expect(await ask('a')).toEqual([200, 'a 2026']);
  });

  it('close within a second when their owner is removed; requests finish first', async () => {
    const { begin, ask, owners, happened } = createApps(['a']);
    const running = begin('a');
    await running.answer;
    owners.delete('a.example');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await ask('a')).toBeUndefined();
    expect(happened).toEqual(['open a']);
    await running.end();
    await vi.advanceTimersByTimeAsync(100);
    expect(happened).toEqual(['open a', 'close a']);
  });

  it('open anew for another owner of the same name and host', async () => {
    const { ask, owners, happened } = createApps(['a']);
    await ask('a');
    owners.set('a.example', owner('a', '2027'));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await ask('a')).toEqual([200, 'a 2027']);
    expect(happened).toEqual(['open a', 'close a', 'open a']);
  });

  it('that cannot be opened say so without a reason, and are tried again after a second', async () => {
    const { apps, ask, failing, happened } = createApps(['a']);
    failing.add('a');
    const answers = await Promise.all([ask('a'), ask('a')]);
    expect(answers.map((answer) => answer?.[0])).toEqual([503, 503]);
    expect(JSON.stringify(answers)).not.toContain('damaged');
    for (let times = 0; times < 20; times += 1) await ask('a');
    expect(happened).toEqual(['open a', 'a: the folder is damaged']);
    failing.clear();
    await vi.advanceTimersByTimeAsync(1_100);
    expect(await ask('a')).toEqual([200, 'a 2026']);
    await apps.close();
    expect(happened.at(-1)).toBe('close a');
  });
});
