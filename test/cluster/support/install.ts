import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** A program of Debian, and the package that has it. */
const programs = {
  postgres: ['/usr/lib/postgresql/15/bin/postgres', 'postgresql-15'],
  pgbouncer: ['/usr/sbin/pgbouncer', 'pgbouncer'],
  patroni: ['/usr/bin/patroni', 'patroni python3-etcd'],
  etcd: ['/usr/bin/etcd', 'etcd-server'],
} as const;

export type Program = keyof typeof programs;

/** The folder of PostgreSQL's programs. */
export const POSTGRES_BIN = '/usr/lib/postgresql/15/bin';

/** Returns the path of a program. */
export function findProgram(name: Program): string {
  return programs[name][0];
}

/** Installs the programs that are missing, and says so. Throws if that is impossible here. */
export function installPrograms(names: readonly Program[] = Object.keys(programs) as Program[]): void {
  const missing = names.filter((name) => !existsSync(findProgram(name)));
  if (missing.length === 0) return;
  const packages = missing.flatMap((name) => programs[name][1].split(' '));
  const command = `apt-get install ${packages.join(' ')}`;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    throw new Error(`npm run test:cluster needs programs of Debian 12. Run as root: ${command}`);
  process.stderr.write(`Installing: ${command}\n`);
  // RUNLEVEL keeps the packages from starting servers of their own.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const run = (...args: string[]) => execFileSync('apt-get', ['-qq', ...args], { env, stdio: 'pipe' });
  run('update');
  run('install', '-y', '--no-install-recommends', ...packages);
}
