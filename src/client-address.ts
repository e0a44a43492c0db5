import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';

/** The address of the socket; what a header claims is not asked. */
export function clientAddress(c: Context): string {
  if (c.env === undefined || !('incoming' in c.env)) return 'unknown';
  return getConnInfo(c).remote.address ?? 'unknown';
}
