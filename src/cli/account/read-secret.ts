import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { type Call, getText, UsageError } from '../run/call.ts';

const MAX_SECRET_BYTES = 65_536;

/** Reads a password from a file, from stdin, or from the keyboard without showing it. It is never an argument. */
export async function readSecret(call: Call, label: string): Promise<string> {
  const file = getText(call, 'password-file');
  const text =
    file !== undefined
      ? readSecretFile(file)
      : process.stdin.isTTY
        ? await ask(`${label}: `)
        : await readStdin();
  const secret = text.replace(/\r?\n$/, '');
  if (secret === '')
    throw new UsageError(`${label} is missing. Give it with --password-file FILE or on stdin.`);
  return secret;
}

function readSecretFile(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8').slice(0, MAX_SECRET_BYTES);
  } catch {
    throw new UsageError('The file of --password-file cannot be read.');
  }
}

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
    chunks.push(chunk as Buffer);
    bytes += (chunk as Buffer).length;
    if (bytes > MAX_SECRET_BYTES) throw new UsageError('The password on stdin is too long.');
  }
  return Buffer.concat(chunks).toString('utf8');
}

function ask(question: string): Promise<string> {
  process.stderr.write(question);
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  return new Promise((resolve, reject) => {
    lines.on('SIGINT', () => {
      lines.close();
      reject(new UsageError('Cancelled.'));
    });
    lines.question('', (answer) => {
      lines.close();
      process.stderr.write('\n');
      resolve(answer);
    });
  });
}
