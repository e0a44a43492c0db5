import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface PostgresServer {
  readonly socket: string;
  readonly user: string;
  stop(): Promise<void>;
}

const USER = 'bench';
const PROGRAMS = ['initdb', 'postgres', 'psql'];
const TRIES = 100;

/** A database server in a folder of its own that only listens there; nothing where PostgreSQL is not installed. */
export async function startPostgres(): Promise<PostgresServer | undefined> {
  if (PROGRAMS.some((program) => spawnSync(program, ['--version']).status !== 0)) return undefined;
  const runAs = findUser();
  if (runAs === undefined) return undefined;
  const directory = mkdtempSync(join(tmpdir(), 'pdpp-pg-'));
  if (runAs.uid !== undefined) chownSync(directory, runAs.uid, runAs.gid);
  const data = join(directory, 'data');
  const settings = { ...runAs, cwd: directory };
  const made = spawnSync(
    'initdb',
    ['-D', data, '-A', 'trust', '-U', USER, '--no-locale', '-E', 'UTF8'],
    settings,
  );
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`);
  const server = spawn('postgres', ['-D', data, '-k', directory, '-h', '', '-F'], {
    ...settings,
    stdio: 'ignore',
  });
  const stop = async () => {
    if (server.exitCode === null) {
      const ended = once(server, 'exit');
      server.kill('SIGINT');
      await ended;
    }
    rmSync(directory, { recursive: true, force: true });
  };
  for (let tried = 0; tried < TRIES && server.exitCode === null; tried += 1) {
    const asked = spawnSync('psql', ['-X', '-h', directory, '-U', USER, '-c', 'select 1', 'postgres']);
    if (asked.status === 0) return { socket: directory, user: USER, stop };
    await sleep(100);
  }
  await stop();
  throw new Error('PostgreSQL did not start');
}

/** PostgreSQL refuses to run as root, and then runs as the user that its package made. */
function findUser(): { uid: number; gid: number } | { uid?: undefined } | undefined {
  if (process.getuid?.() !== 0) return {};
  const numbers = ['-u', '-g'].map((flag) =>
    Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout.trim() || 'NaN'),
  );
  const [uid, gid] = numbers as [number, number];
  return Number.isNaN(uid) || Number.isNaN(gid) ? undefined : { uid, gid };
}
