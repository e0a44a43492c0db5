import { type Config, replaceHost } from '../../config.ts';
import { findServer } from '../../store/sqlite/folder/folder-lock.ts';
import type { Call } from '../run/call.ts';
import { formatCommand } from '../run/how-started.ts';

/** Returns the address of the server that runs on a data folder, or the address that a new one would have. */
export function findAddress(config: Config, call?: Call): { url: string; runs: boolean } {
  const server = findServer(config.mainDirectory);
  const isNamed = ['port', 'host', 'public-url'].some((name) => call?.values[name] !== undefined);
  const url = isNamed || server === undefined || server === 'unknown' ? config.publicUrl : server.url;
  const host = config.owner === undefined ? undefined : new URL(config.publicUrl).hostname;
  return { url: host === undefined ? url : replaceHost(url, host), runs: server !== undefined };
}

/** Returns a sentence that says how to connect an app. */
export function describePages(config: Config, path: string): string {
  const { url, runs } = findAddress(config);
  return runs
    ? `Connect an app: open ${url}${path}`
    : `Connect an app: run ${formatCommand('serve')}, then open ${url}${path}`;
}
