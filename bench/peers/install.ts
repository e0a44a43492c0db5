import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { outDirectory } from '../options.ts';

/** Servers that give a model SQL over one SQLite file. */
export const PEERS = {
  '@bytebase/dbhub': '0.21.2',
  'mcp-server-sqlite-npx': '0.8.0',
  'mcp-sqlite-server': '1.0.1',
} as const;

export type Peer = keyof typeof PEERS;

const directory = join(outDirectory, 'peers');

/** Installs the peers on demand. Where npm has no compiled SQLite for this machine, that takes minutes. */
export function installPeers(): void {
  const manifest = JSON.stringify({ name: 'peers', private: true, dependencies: PEERS });
  const path = join(directory, 'package.json');
  const isInstalled =
    existsSync(path) &&
    readFileSync(path, 'utf8') === manifest &&
    (Object.keys(PEERS) as Peer[]).every(isThere);
  if (isInstalled) return;
  console.error('installing the peers from npm, once');
  mkdirSync(directory, { recursive: true });
  writeFileSync(path, manifest);
  execFileSync('npm', ['install', '--no-audit', '--no-fund'], { cwd: directory, stdio: 'inherit' });
}

export function scriptOf(peer: Peer): string {
  return join(directory, 'node_modules', peer, 'dist/index.js');
}

function isThere(peer: Peer): boolean {
  const manifest = join(directory, 'node_modules', peer, 'package.json');
  return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === PEERS[peer];
}
