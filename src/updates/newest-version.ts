import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 2_000_000;
const VERSION = /^\d{1,6}\.\d{1,6}\.\d{1,6}(-[\w.-]{1,50})?$/;

/**
 * Returns the newest published version, undefined if it cannot be found. Asks npm, which knows where the owner gets
 * packages from, or a URL that answers like a registry. Nothing about this server is sent. Runs only when the owner asks.
 */
export async function findNewestVersion(url?: string): Promise<string | undefined> {
  const found = readVersion(url === undefined ? await askNpm() : await fetchText(url));
  return typeof found === 'string' && VERSION.test(found) ? found : undefined;
}

/** npm prints a version. A registry answers with a package and its tags, or with one version of it. */
function readVersion(text: string | undefined): unknown {
  try {
    const answer: unknown = JSON.parse(text ?? '');
    if (typeof answer !== 'object' || answer === null) return answer;
    const { version, 'dist-tags': tags } = answer as {
      version?: unknown;
      'dist-tags'?: { latest?: unknown };
    };
    return tags?.latest ?? version;
  } catch {
    return undefined;
  }
}

/** Runs `npm view`, outside of any project, whose settings could name another registry. */
function askNpm(): Promise<string | undefined> {
  const isWindows = process.platform === 'win32';
  const name = isWindows ? 'npm.cmd' : 'npm';
  const beside = join(dirname(process.execPath), name);
  // A service may have another PATH than the shell in which npm was installed.
  const program = existsSync(beside) ? beside : name;
  return new Promise((resolve) => {
    const child = spawn(
      isWindows ? `"${program}"` : program,
      ['view', 'pdpp', 'version', '--json', '--no-update-notifier'],
      {
        cwd: homedir(),
        stdio: ['ignore', 'pipe', 'ignore'],
        timeout: TIMEOUT_MS,
        killSignal: 'SIGKILL',
        windowsHide: true,
        // Node starts .cmd files only in a shell.
        shell: isWindows,
      },
    );
    let text = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.length > MAX_BYTES) child.kill('SIGKILL');
    });
    child.once('error', () => resolve(undefined));
    child.once('close', (code) => resolve(code === 0 ? text : undefined));
  });
}

async function fetchText(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!response.ok || response.body === null) return undefined;
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of response.body) {
      chunks.push(chunk);
      bytes += chunk.byteLength;
      if (bytes > MAX_BYTES) return undefined;
    }
    return Buffer.concat(chunks).toString('utf8');
  } catch {
    return undefined;
  }
}
