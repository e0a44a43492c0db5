import { readFileSync } from 'node:fs';
import { Hono } from 'hono';
import { etag } from 'hono/etag';

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');

const assets = {
  '/style.css': [read('./style.css'), 'text/css; charset=utf-8'],
  '/script.js': [read('./script.js'), 'text/javascript; charset=utf-8'],
  '/icon.svg': [read('./icon.svg'), 'image/svg+xml'],
  '/favicon.ico': [read('./icon.svg'), 'image/svg+xml'],
} as const;

/** Serves the static files. Browsers revalidate them. */
export function createAssets(): Hono {
  const app = new Hono();
  for (const [path, [text, type]] of Object.entries(assets)) {
    app.get(path, etag(), (c) => c.body(text, 200, { 'content-type': type, 'cache-control': 'no-cache' }));
  }
  return app;
}
