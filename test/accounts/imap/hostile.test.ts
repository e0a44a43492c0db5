import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { createImapSource } from '../../../src/accounts/imap/imap-source.ts';
import { SyncError } from '../../../src/accounts/sync-source.ts';
import { type Answer, type FakeServer, serveImap } from './fake-server.ts';
import { MemoryRun, makeContext } from './memory-run.ts';

/** Where silence is expected, the wait is short; elsewhere a busy machine gets time. */
const short = {
  connectMs: 4_000,
  silenceMs: 4_000,
  commandMs: 6_000,
  fetchMs: 8_000,
  watchMs: 3_000,
  idleMs: 2_000,
};
const long = { ...short, connectMs: 60_000, silenceMs: 60_000, commandMs: 60_000, fetchMs: 60_000 };
const MAX_GROWTH_BYTES = 250 * 2 ** 20;
const MAX_MS = 120_000;
const MAX_BLOCKED_MS = 1_500;

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** Writes without end, as fast as the client reads. */
function flood(socket: Socket, chunk: string): true {
  const bytes = Buffer.from(chunk.repeat(Math.ceil(65_536 / chunk.length)), 'latin1');
  const write = () => {
    while (!socket.destroyed && socket.write(bytes));
  };
  socket.on('drain', write);
  write();
  return true;
}

const on =
  (pattern: RegExp, act: (socket: Socket, tag: string, text: string) => unknown): Answer =>
  (socket, tag, text) => {
    if (!pattern.test(text)) return false;
    act(socket, tag, text);
    return true;
  };

const BODY = /BODY/;
const silence = () => {};
/** `or`: on a slow machine, time runs out before the size limit is reached. */
const cases: Record<string, FakeServer & { code: string; or?: string }> = {
  'never greets': { greeting: '', code: 'too_slow', or: 'unreachable' },
  'greets with garbage': {
    greeting: '\u0000\u0001\u0002\r\nHTTP/1.1 400 Bad Request\r\n\r\n',
    code: 'too_slow',
  },
  'greets with an endless line': {
    greeting: `* OK ${'x'.repeat(9_000_000)}`,
    code: 'too_large',
  },
  'says goodbye at once': { greeting: '* BYE too many connections\r\n', code: 'unreachable' },
  'never answers': { answer: on(/^LIST/, silence), code: 'too_slow' },
  'refuses the password': {
    answer: on(/^(?:LOGIN|AUTHENTICATE)/, (socket, tag) =>
      socket.write(`${tag} NO [AUTHENTICATIONFAILED] no\r\n`),
    ),
    code: 'credentials',
  },
  'answers commands that were not sent': {
    answer: on(/^LIST/, (socket) => flood(socket, 'ZZ OK done\r\n')),
    code: 'too_large',
    or: 'too_slow',
  },
  'lists folders without end': {
    answer: on(/^LIST/, (socket) => flood(socket, '* LIST () "/" "folder"\r\n')),
    code: 'too_large',
    or: 'too_slow',
  },
  'lists many folders': {
    answer: on(/^LIST/, (socket, tag) => {
      const lines = Array.from({ length: 6_000 }, (_, n) => `* LIST () "/" f${n}\r\n`);
      socket.write(`${lines.join('')}${tag} OK done\r\n`);
    }),
    code: 'protocol',
    or: 'too_slow',
  },
  'reports new mails without end': {
    answer: on(/^EXAMINE/, (socket) => flood(socket, '* 4000000 EXISTS\r\n')),
    code: 'too_large',
    or: 'too_slow',
  },
  'reports billions of deleted mails': {
    answer: on(/^EXAMINE/, (socket) => flood(socket, '* VANISHED (EARLIER) 1:4294967295\r\n')),
    code: 'too_large',
    or: 'too_slow',
  },
  'claims billions of mails': {
    answer: on(/^EXAMINE/, (socket, tag) =>
      socket.write(
        `* 4000000000 EXISTS\r\n* OK [UIDVALIDITY 1] x\r\n* OK [UIDNEXT 9] x\r\n${tag} OK done\r\n`,
      ),
    ),
    code: 'protocol',
  },
  'nests without end': {
    answer: on(/^LIST/, (socket) => flood(socket, '(')),
    code: 'too_large',
  },
  'announces a huge literal': {
    answer: on(BODY, (socket) => socket.write('* 1 FETCH (UID 1 BODY[] {99999999999}\r\nFrom: x')),
    code: 'too_large',
  },
  'announces a literal with twenty digits': {
    answer: on(BODY, (socket) => socket.write('* 1 FETCH (UID 1 BODY[] {99999999999999999999}\r\n')),
    code: 'too_large',
  },
  'sends more than it announced': {
    answer: on(BODY, (socket) =>
      flood(socket, `* 1 FETCH (UID 1 BODY[] {60000}\r\n${'x'.repeat(60_000)})\r\n`),
    ),
    code: 'too_large',
  },
  'closes in the middle of a literal': {
    answer: on(BODY, (socket) => socket.end('* 1 FETCH (UID 1 BODY[] {5000}\r\nFrom: x')),
    code: 'unreachable',
  },
  'stops in the middle of a literal': {
    answer: on(BODY, (socket) => socket.write('* 1 FETCH (UID 1 BODY[] {5000}\r\nFrom: x')),
    code: 'too_slow',
  },
  'sends a byte now and then': {
    answer: on(/^LIST/, (socket) => {
      const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write('x')), 200);
    }),
    code: 'too_slow',
  },
  'lists more mails than there are': {
    answer: on(/^FETCH .*SIZE/, (socket) => {
      const lines = Array.from({ length: 5_000 }, (_, n) => `* ${n} FETCH (UID ${n + 1} RFC822.SIZE 1)\r\n`);
      socket.write(lines.join(''));
    }),
    code: 'protocol',
  },
  'has no UIDs': {
    answer: on(/^FETCH/, (socket, tag) => socket.write(`* 1 FETCH (FLAGS ())\r\n${tag} OK done\r\n`)),
    code: 'protocol',
  },
  'does not offer TLS': { isPlain: true, code: 'not_encrypted' },
};

it.each(Object.entries(cases))(
  'a server that %s gets a typed error',
  async (_, { code, or = code, ...server }) => {
    const settings = server.isPlain ? { security: 'starttls' } : {};
    const port = await serveImap(server);
    const context = makeContext(port);
    const before = process.memoryUsage().rss;
    let largest = before;
    let [lastTick, longestGap] = [cpuMs(), 0];
    const timer = setInterval(() => {
      longestGap = Math.max(longestGap, cpuMs() - lastTick);
      lastTick = cpuMs();
      largest = Math.max(largest, process.memoryUsage().rss);
    }, 20);
    const startedAt = performance.now();
    const run = new MemoryRun();
    const source = createImapSource([code, or].includes('too_slow') ? short : long);
    const failed = await run
      .sync(source, { ...context, settings: { ...context.settings, ...settings } })
      .then(() => undefined)
      .catch((error: unknown) => error);
    clearInterval(timer);
    expect(failed).toBeInstanceOf(SyncError);
    expect([code, or], (failed as SyncError).message).toContain((failed as SyncError).code);
    expect(performance.now() - startedAt).toBeLessThan(MAX_MS);
    expect(largest - before).toBeLessThan(MAX_GROWTH_BYTES);
    // Time of the processor, because other processes may hold this one up.
    expect(longestGap).toBeLessThan(MAX_BLOCKED_MS);
    expect(run.messages).toEqual([]);
  },
);
