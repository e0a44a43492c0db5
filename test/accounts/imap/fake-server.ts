import type { AddressInfo, Socket } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import { createServer } from 'node:tls';
import { onTestFinished } from 'vitest';
import { makeCertificate } from '../../support/tls/make-certificate.ts';
import { authority, HOST } from './dovecot.ts';

/** Answers one command. `tag` is the tag of the command, `text` the rest of the line. */
export type Answer = (socket: Socket, tag: string, text: string) => boolean | undefined;

const CAPABILITY = 'CAPABILITY IMAP4rev1 SASL-IR SPECIAL-USE LIST-STATUS LIST-EXTENDED';
const { cert, key } = makeCertificate({ names: [HOST, 'imap.gmail.com'], issuer: authority });

export interface FakeServer {
  readonly greeting?: string | undefined;
  readonly capability?: string;
  /** Answers commands first. Returns true if it did; otherwise a polite answer follows. */
  readonly answer?: Answer;
  readonly isPlain?: boolean;
}

/** An IMAP server with one folder that answers as the test says. Returns its port. */
export async function serveImap({
  greeting = '* OK ready\r\n',
  capability = CAPABILITY,
  answer,
  isPlain = false,
}: FakeServer): Promise<number> {
  const sockets = new Set<Socket>();
  const accept = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    let rest = '';
    socket.on('data', (chunk) => {
      rest += chunk.toString('latin1');
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 2);
        const [tag = '', ...words] = line.split(' ');
        const text = words.join(' ');
        if (answer?.(socket, tag, text) !== true) answerPolitely(socket, tag, text, capability);
      }
    });
    socket.write(greeting);
  };
  const server = isPlain ? createTcpServer(accept) : createServer({ cert, key }, accept);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

function answerPolitely(socket: Socket, tag: string, text: string, capability: string): void {
  const name = text.split(' ')[0]?.toUpperCase();
  if (name === 'CAPABILITY') socket.write(`* ${capability}\r\n`);
  if (name === 'LIST' && !text.includes('""')) socket.write('* LIST () "/" INBOX\r\n');
  else if (name === 'LIST') {
    socket.write('* LIST () "/" INBOX\r\n');
    socket.write('* STATUS INBOX (MESSAGES 3 UIDNEXT 4 UIDVALIDITY 1)\r\n');
  }
  if (name === 'STATUS') socket.write('* STATUS INBOX (MESSAGES 3 UIDNEXT 4 UIDVALIDITY 1)\r\n');
  if (name === 'EXAMINE') {
    socket.write('* 3 EXISTS\r\n* FLAGS (\\Seen)\r\n* OK [UIDVALIDITY 1] x\r\n* OK [UIDNEXT 4] x\r\n');
    socket.write(`${tag} OK [READ-ONLY] done\r\n`);
    return;
  }
  if (/^FETCH/.test(text))
    for (const n of listNumbers(text)) socket.write(`* ${n} FETCH (UID ${n} RFC822.SIZE 100 FLAGS ())\r\n`);
  if (name === 'LOGOUT') socket.write('* BYE bye\r\n');
  socket.write(`${tag} OK done\r\n`);
}

/** The numbers of a command: `FETCH 2:3 (UID)`. */
export function listNumbers(text: string): number[] {
  const [, from, to] = /FETCH (\d+)(?::(\d+))?/.exec(text) ?? [];
  if (from === undefined) return [];
  const last = Math.min(Number(to ?? from), Number(from) + 20_000);
  return Array.from({ length: last - Number(from) + 1 }, (_, n) => Number(from) + n);
}
