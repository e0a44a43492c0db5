import type { Config } from '../../config.ts';
import { findServer } from '../../store/sqlite/folder/folder-lock.ts';
import type { Call } from '../run/call.ts';
import { formatCommand } from '../run/how-started.ts';

/** Where the pages of a data folder are: at the server that runs on it, or else where one would be started. */
export function findAddress(config: Config, call?: Call): { url: string; runs: boolean } {
  const server = findServer(config.dataDirectory);
  const isNamed = ['port', 'host', 'public-url'].some((name) => call?.values[name] !== undefined);
  // Whoever names an address means that one.
  const url = isNamed || server === undefined || server === 'unknown' ? config.publicUrl : server.url;
  return { url, runs: server !== undefined };
}

/** Where to go on, for a person who has just put something into the folder. */
export function describePages(config: Config, path: string): string {
  const { url, runs } = findAddress(config);
  return runs
    ? `Connect an app: ${url}${path}`
    : `Connect an app: ${formatCommand('serve')}, then ${url}${path}`;
}
