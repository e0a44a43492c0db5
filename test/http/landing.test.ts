import { describe, expect, it } from 'vitest';
import { createBrowser } from '../support/browser.ts';
import { useSignedInWorld, useWorld } from '../support/use-world.ts';
import { createWorld, ORIGIN } from '../support/world.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const empty = await useWorld(createWorld());
const { world, owner } = await useSignedInWorld();

const visit = (path: string, accept = BROWSER) => world.request(path, { headers: { accept } });

describe('the landing page', () => {
  it('says what this server is, and links to sign-in and the address for apps', async () => {
    const page = await visit('/');
    const text = await page.text();
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=UTF-8']);
    for (const part of [
      '<h1>Personal data server</h1>',
      'href="/dashboard"',
      `<code>${ORIGIN}/mcp</code>`,
      `claude mcp add --transport http pdpp ${ORIGIN}/mcp`,
      `codex mcp add pdpp --url ${ORIGIN}/mcp`,
    ])
      expect(text).toContain(part);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.headers.get('link')).toContain('</llms.txt>; rel="service-doc"');
  });

  it('is the same bytes for the owner, a stranger and a server without data, and sets no cookie', async () => {
    const stranger = createBrowser(world.request, ORIGIN);
    const pages = [await owner.send('/'), await stranger.send('/')].map(({ text, headers }) => ({
      text,
      headers: [...headers],
    }));
    const elsewhere = await empty.request('/', { headers: { accept: BROWSER } });
    const other = { text: await elsewhere.text(), headers: [...elsewhere.headers] };
    expect(pages).toEqual([other, other]);
    expect(other.headers.map(([name]) => name)).not.toContain('set-cookie');
  });

  it('is for browsers only: every other request is sent to the dashboard', async () => {
    for (const accept of ['', '*/*', 'application/json', 'application/json, text/event-stream']) {
      const response = await visit('/', accept);
      expect([accept, response.status, response.headers.get('location')]).toEqual([
        accept,
        303,
        '/dashboard',
      ]);
    }
  });
});

describe('/mcp in a browser', () => {
  it('shows the address to copy and links to the landing page', async () => {
    const page = await visit('/mcp');
    const text = await page.text();
    expect(page.status).toBe(401);
    expect(text).toContain(`<code>${ORIGIN}/mcp</code>`);
    expect(text).toContain('href="/"');
  });
});
