import type { Context } from 'hono';

/** Paths without pages and forms of ours. */
export function isForApps(c: Context): boolean {
  return /^\/(mcp|v1)(\/|$)/.test(c.req.path);
}

/** A person who opened the address of apps in a browser. No client sends this: they ask for an event stream, or anything. */
export function isVisitToMcp(c: Context): boolean {
  const accept = c.req.header('accept') ?? '';
  const isForPerson = accept.includes('text/html') && !accept.includes('text/event-stream');
  return isForPerson && c.req.method === 'GET' && /^\/mcp\/?$/.test(c.req.path);
}

/** Machines read JSON where they read; only a browser's own navigation gets a page. */
export function wantsPage(c: Context): boolean {
  if (isForApps(c) || c.req.path.endsWith('.json')) return false;
  return c.req.header('accept')?.includes('text/html') ?? false;
}
