import type { Context } from 'hono';

/** Machines read JSON where they read; only a browser's own navigation gets a page. */
export function wantsPage(c: Context): boolean {
  if (/^\/(mcp|v1)(\/|$)/.test(c.req.path) || c.req.path.endsWith('.json')) return false;
  return c.req.header('accept')?.includes('text/html') ?? false;
}
