import { readFileSync } from 'node:fs';
import { Hono } from 'hono';
import { html } from 'hono/html';
import { StartPage } from './start-page.tsx';

const style = readFileSync(new URL('./style.css', import.meta.url), 'utf8');
const POLICY =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Pages for the owner. Nothing here shows data or needs a sign-in yet. */
export function createDashboard(publicUrl: string): Hono {
  const app = new Hono();
  app.get('/', (c) => {
    c.header('content-security-policy', POLICY);
    c.header('x-frame-options', 'DENY');
    c.header('referrer-policy', 'no-referrer');
    return c.html(html`<!doctype html>${<StartPage publicUrl={publicUrl} />}`);
  });
  app.get('/style.css', (c) => c.body(style, 200, { 'content-type': 'text/css; charset=utf-8' }));
  return app;
}
