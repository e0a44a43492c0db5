import type { Config } from '../../config.ts';
import { findServer } from '../../store/sqlite/folder/folder-lock.ts';
import type { Call } from '../run/call.ts';
import { formatCommand } from '../run/how-started.ts';

/** Returns the address of the server that runs on a data folder, or the address that a new one would have. */
export function findAddress(config: Config, call?: Call): { url: string; runs: boolean } {
  const server = findServer(config.dataDirectory);
  const isNamed = ['port', 'host', 'public-url'].some((name) => call?.values[name] !== undefined);
  const url = isNamed || server === undefined || server === 'unknown' ? config.publicUrl : server.url;
  return { url, runs: server !== undefined };
}

/** Says how to connect an app to the folder. */
export function describePages(config: Config, path: string): string {
  const { url, runs } = findAddress(config);
  return runs
    ? `Connect an app: open ${url}${path}`
    : `Connect an app: run ${formatCommand('serve')}, then open ${url}${path}`;
}
