import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listenOnLoopback } from '../../src/client/loopback-listener.ts';

async function listen() {
  const listener = await listenOnLoopback();
  onTestFinished(() => listener.close());
  return listener;
}

/** A request as a page that found our port could make it. */
function ask(url: string, options: { method?: string; host?: string } = {}): Promise<number | undefined> {
  const headers = options.host === undefined ? {} : { host: options.host };
  return new Promise((resolve, reject) => {
    request(url, { method: options.method ?? 'GET', headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

describe('the loopback listener', () => {
  it('listens on 127.0.0.1 only, on a random port', async () => {
    const [one, two] = [await listen(), await listen()];
    expect(one.redirectUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    expect(one.redirectUrl).not.toBe(two.redirectUrl);
  });

  it('accepts one response with the right state', async () => {
    const listener = await listen();
    const answer = listener.waitFor('right', 'https://data.example');
    expect(await ask(`${listener.redirectUrl}?code=c&state=right&iss=i`)).toBe(200);
    expect(Object.fromEntries(await answer)).toEqual({ code: 'c', state: 'right', iss: 'i' });
    expect(await ask(`${listener.redirectUrl}?code=again&state=right`)).toBe(400);
  });

  it('refuses other requests and keeps waiting', async () => {
    const listener = await listen();
    expect(await ask(`${listener.redirectUrl}?code=early&state=right`)).toBe(400);
    const answer = listener.waitFor('right', 'https://data.example');
    const { origin } = new URL(listener.redirectUrl);
    expect(await ask(`${listener.redirectUrl}?code=c&state=wrong`)).toBe(400);
    expect(await ask(`${listener.redirectUrl}?code=c`)).toBe(400);
    expect(await ask(`${origin}/?code=c&state=right`)).toBe(404);
    expect(await ask(`${listener.redirectUrl}?code=c&state=right`, { method: 'POST' })).toBe(404);
    expect(await ask(`${listener.redirectUrl}?code=c&state=right`, { host: 'evil.example' })).toBe(404);
    expect(await ask(`${listener.redirectUrl}?code=last&state=right`)).toBe(200);
    expect((await answer).get('code')).toBe('last');
  });

  it('ends on a page that shows the result and links to the access of the app', async () => {
    const listener = await listen();
    void listener.waitFor('yes', 'https://data.example');
    const approved = await (await fetch(`${listener.redirectUrl}?code=c&state=yes`)).text();
    expect(approved).toContain('<h1>Connected</h1>');
    expect(approved).toContain('href="https://data.example/dashboard/apps"');
    void listener.waitFor('no', 'https://data.example');
    const denied = await (await fetch(`${listener.redirectUrl}?error=access_denied&state=no`)).text();
    expect(denied).toContain('<h1>Not connected</h1>');
    expect(denied).not.toContain('href=');
  });

  it.each([
    ['approved', 200, '?code=c&state=s'],
    ['denied', 200, '?error=access_denied&state=s'],
    ['not the answer', 400, '?code=c&state=other'],
    ['elsewhere', 404, '/elsewhere'],
  ])('wears the dress of our pages, in light and dark: %s', async (_, status, rest) => {
    const listener = await listen();
    void listener.waitFor('s', 'https://data.example');
    const response = await fetch(`${listener.redirectUrl}${rest}`);
    expect(response.status).toBe(status);
    const page = await response.text();
    const style = /<style>([^<]*)<\/style>/.exec(page)?.[1] ?? '';
    expect(style).toContain('color-scheme:light dark');
    // Without this the browser would leave the style away.
    const hash = createHash('sha256').update(style).digest('base64');
    expect(response.headers.get('content-security-policy')).toContain(`style-src 'sha256-${hash}'`);
    expect(page).toContain('<p class="brand">pdpp</p>');
    expect(page).toMatch(/<title>[^<]+ · pdpp<\/title>/);
    expect(page).toMatch(/<main><h1>[^<]+<\/h1><p>[^<]+<\/p>/);
  });

  it('neither shows nor leaks the address', async () => {
    const listener = await listen();
    void listener.waitFor('s', 'https://data.example');
    const response = await fetch(`${listener.redirectUrl}?code=%3Cscript%3E&state=s&error=%3Cb%3E`);
    expect(await response.text()).not.toMatch(/script|<b>/);
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-/,
    );
  });
});
