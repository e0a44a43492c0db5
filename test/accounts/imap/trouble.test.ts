import { connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createImapSource } from '../../../src/accounts/imap/imap-source.ts';
import { createNetwork } from '../../../src/accounts/network/create-network.ts';
import type { SyncError } from '../../../src/accounts/sync-source.ts';
import { makeCertificate } from '../../support/tls/make-certificate.ts';
import { authority, Dovecot, HOST } from './dovecot.ts';
import { MemoryRun, makeContext, makeText } from './memory-run.ts';

const source = createImapSource();
const DAY_MS = 86_400_000;
const server = new Dovecot();
beforeAll(() => server.start());
afterAll(() => server.remove());

const failure = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: SyncError) => error.code,
  );

describe('a connection test', () => {
  it('names a wrong password, and what to do about it', async () => {
    const error = await source
      .check(makeContext(server.port, { secret: 'wrong' }))
      .catch((one: SyncError) => one);
    expect(error).toMatchObject({ code: 'credentials', fix: expect.stringContaining('app password') });
    expect(JSON.stringify(error)).not.toContain('wrong');
  });

  it('names the page of a known provider', async () => {
    const settings = { user: 'anna@gmail.com', port: server.port };
    const { cert, key } = makeCertificate({ names: ['imap.gmail.com'], issuer: authority });
    const gmail = new Dovecot({ certificate: { cert, key } });
    onTestFinished(() => gmail.remove());
    await gmail.start();
    const context = makeContext(gmail.port, { settings: { ...settings, port: gmail.port } });
    await expect(source.check(context)).rejects.toMatchObject({
      code: 'credentials',
      fix: expect.stringContaining('https://myaccount.google.com/apppasswords'),
    });
  });

  it('connects by STARTTLS', async () => {
    const settings = { user: 'anna@example.org', server: HOST, port: server.plainPort, security: 'starttls' };
    expect(await source.check(makeContext(0, { settings }))).toMatchObject({ account: 'anna@example.org' });
  });

  it.each([
    ['has expired', { names: [HOST], until: new Date(Date.now() - DAY_MS), from: new Date(0) }, undefined],
    ['is for another name', { names: ['other.test'] }, undefined],
    ['comes from an unknown authority', { names: [HOST] }, makeCertificate({ names: [], isAuthority: true })],
  ])('refuses a certificate that %s', async (_, options, issuer = authority) => {
    const other = new Dovecot({ certificate: makeCertificate({ ...options, issuer }) });
    onTestFinished(() => other.remove());
    await other.start();
    for (const [security, port] of [
      ['tls', other.port],
      ['starttls', other.plainPort],
    ]) {
      const settings = { user: 'anna@example.org', server: HOST, port, security };
      const error = await source.check(makeContext(0, { settings })).catch((one: SyncError) => one);
      expect(error).toMatchObject({ code: 'certificate', message: expect.stringContaining('certificate') });
    }
  });

  it('says when nothing answers', async () => {
    expect(await failure(source.check(makeContext(1)))).toBe('unreachable');
  });

  it('reaches private addresses only if the owner allows it', async () => {
    const strict = createNetwork({
      allowPrivate: false,
      lookup: async () => [{ address: '127.0.0.1', family: 4 }],
    });
    expect(await failure(source.check(makeContext(server.port, { network: strict })))).toBe(
      'private_address',
    );
  });
});

describe('a sync', () => {
  it('continues when the server restarts in the middle', async () => {
    server.fill(
      'INBOX',
      Array.from({ length: 1_000 }, (_, n) =>
        makeText({ id: `${n}@x`, subject: `n${n}`, text: 'x'.repeat(2_000) }),
      ),
    );
    const run = new MemoryRun();
    const context = makeContext(server.port);
    run.onCheckpoint = (count) => (count === 2 ? server.stop() : undefined);
    expect(await failure(run.sync(source, context))).toBe('unreachable');
    run.onCheckpoint = () => {};
    const { length } = run.messages;
    expect(length).toBeGreaterThan(0);
    expect(length).toBeLessThan(1_000);
    await server.start();
    await run.sync(source, context);
    expect(run.messages).toHaveLength(1_000);
    expect(run.puts).toBe(1_000);
  });

  it('ends early when it is aborted', async () => {
    const control = new AbortController();
    const run = new MemoryRun();
    run.onCheckpoint = () => control.abort();
    await run.sync(source, makeContext(server.port, { signal: control.signal }));
    expect(run.messages.length).toBeLessThan(1_000);
  });

  it('reads from a slow server', async () => {
    const port = await serveSlowly(server.port, 150_000);
    const run = new MemoryRun();
    // About 600 KB.
    await run.sync(source, makeContext(port), 2);
    expect(run.messages.length).toBeGreaterThan(100);
  });

  it('reads the beginning of a huge mail', async () => {
    const text = `${'Line of a long mail.\n'.repeat(1_300_000)}The end.`;
    await server.edit((client) => client.mailboxCreate('Large'));
    server.fill('Large', [makeText({ id: 'large@x', subject: 'Large', text })]);
    const run = new MemoryRun();
    await run.sync(source, makeContext(server.port, { collections: ['Large'] }));
    expect(run.find('Large')).toHaveLength(1);
    expect(String(run.find('Large')[0]?.body)).toHaveLength(2_000_000);
    expect(run.problems).toEqual([
      expect.stringContaining('is larger than 24 MB; only its beginning was imported'),
    ]);
  });
});

describe('waiting for changes', () => {
  const wait = (run: MemoryRun, signal?: AbortSignal) =>
    source.waitForChange?.({
      ...makeContext(server.port, signal === undefined ? {} : { signal }),
      state: run.state,
    });

  it('ends within seconds when a mail is delivered', async () => {
    const run = new MemoryRun();
    await run.sync(source, makeContext(server.port));
    let hasEnded = false;
    const waiting = wait(run)?.then(() => {
      hasEnded = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(hasEnded).toBe(false);
    const deliveredAt = performance.now();
    server.deliver(makeText({ id: 'fresh@x', subject: 'Fresh' }));
    await waiting;
    await run.sync(source, makeContext(server.port));
    expect(run.find('Fresh')).toHaveLength(1);
    expect(performance.now() - deliveredAt).toBeLessThan(5_000);
  });

  it('ends at once if something has changed before', async () => {
    const run = new MemoryRun();
    await run.sync(source, makeContext(server.port));
    server.deliver(makeText({ id: 'before@x', subject: 'Before' }));
    await wait(run);
  });

  it('ends when it is aborted', async () => {
    const run = new MemoryRun();
    await run.sync(source, makeContext(server.port));
    const control = new AbortController();
    const waiting = wait(run, control.signal);
    setTimeout(() => control.abort(), 300);
    await expect(waiting).rejects.toThrow();
  });
});

/** Passes a connection on at this many bytes a second. */
async function serveSlowly(target: number, bytesPerSecond: number): Promise<number> {
  const proxy = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    const close = (one: Socket) => () => one.destroy();
    client.on('close', close(upstream)).on('error', close(upstream));
    upstream.on('close', close(client)).on('error', close(client));
    client.pipe(upstream);
    upstream.on('data', (chunk) => {
      upstream.pause();
      client.write(chunk);
      setTimeout(() => upstream.resume(), (1_000 * chunk.length) / bytesPerSecond);
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void proxy.close());
  return (proxy.address() as { port: number }).port;
}
