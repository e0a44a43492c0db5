import { getConnInfo } from '@hono/node-server/conninfo';
import { type Context, Hono } from 'hono';
import { AppError } from '../errors.ts';
import { createProxyList, unmapIpv4 } from '../limits/proxies.ts';
import { formatMetrics, METRICS_TYPE } from '../metrics/format-metrics.ts';
import type { BaseRouteDeps } from './route-deps.ts';

const isLoopback = createProxyList(['127.0.0.0/8', '::1']);

/** Serves metrics to the owner, and to programs on this computer if no proxy can be between them and the server. */
export function createMetricsRoutes({ publicUrl, getCaller, listMetrics }: BaseRouteDeps): Hono {
  const app = new Hono();
  // Through a proxy on this computer, requests from anywhere come from a loopback address.
  const isLocal = isLoopback(hostOf(publicUrl));
  app.get('/metrics', async (c) => {
    if (!isLocal || !isFromHere(c)) {
      const { kind } = await getCaller(c);
      if (kind !== 'owner') throw new AppError('owner_token_required', 'Metrics are for the owner only.');
    }
    return c.body(formatMetrics(await listMetrics()), 200, { 'content-type': METRICS_TYPE });
  });
  return app;
}

function hostOf(publicUrl: string): string {
  const name = new URL(publicUrl).hostname.replace(/^\[|\]$/g, '');
  return name === 'localhost' ? '127.0.0.1' : name;
}

const FORWARDED = ['x-forwarded-for', 'x-forwarded-host', 'forwarded', 'x-real-ip', 'via'];

function isFromHere(c: Context): boolean {
  if (c.env === undefined || !('incoming' in c.env)) return false;
  if (
    c.req.header('authorization') !== undefined ||
    FORWARDED.some((name) => c.req.header(name) !== undefined)
  )
    return false;
  return isLoopback(unmapIpv4(getConnInfo(c).remote.address ?? ''));
}
