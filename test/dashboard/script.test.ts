import type { AddressInfo } from 'node:net';
import { type ServerType, serve } from '@hono/node-server';
import { Hono } from 'hono';
import { raw } from 'hono/html';
import type { Browser, Page as Tab } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAssets } from '../../dashboard/assets.ts';
import { ConnectPage } from '../../dashboard/pages/connect.tsx';
import { Page } from '../../dashboard/parts/layout.tsx';
import { createGuide } from '../../src/guide/connect-guide.ts';
import { setPageHeaders } from '../../src/http/page-headers.ts';
import type { ConnectView } from '../../src/views/connect.ts';
import { startChromium } from '../support/processes/chromium.ts';

const ASKED = '2026-11-16T11:59:50.000Z';
let progress: ConnectView['progress'] = [];

const form = raw(`<form>
  <input type="checkbox" id="all" data-toggle-all="slack">
  <input type="checkbox" id="one" data-in="slack" checked>
  <input type="checkbox" id="two" data-in="slack">
</form>`);

function createPages(): Hono {
  const app = new Hono();
  app.use('*', async (c, next) => {
    setPageHeaders(c);
    await next();
  });
  app.get('/dashboard/connect', (c) => {
    const guide = createGuide('https://me.example');
    const view = {
      ...guide,
      time_zone: 'UTC',
      now: '2026-11-16T12:00:00.000Z',
      prompts: [],
      prompts_for: null,
      progress,
    };
    return c.html(String(ConnectPage({ view, frame: { csrf: 'c', alarms: [] } })));
  });
  app.get('/form', (c) => c.html(String(Page({ title: 'Form', children: form }))));
  app.route('/', createAssets());
  return app;
}

describe('the script', () => {
  let server: ServerType;
  let browser: Browser;
  let origin: string;
  const problems: string[] = [];
  beforeAll(async () => {
    server = await new Promise((resolve) => {
      const started = serve({ fetch: createPages().fetch, port: 0, hostname: '127.0.0.1' }, () =>
        resolve(started),
      );
    });
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await startChromium();
  }, 600_000);
  afterAll(async () => {
    await browser?.close();
    server.close();
    expect(problems).toEqual([]);
  });

  const open = async (path: string, options: { javaScriptEnabled?: boolean; width?: number } = {}) => {
    const { width = 1_280, ...rest } = options;
    const context = await browser.newContext({
      ...rest,
      viewport: { width, height: 800 },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const tab = await context.newPage();
    tab.on('pageerror', (error) => problems.push(error.message));
    tab.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    await tab.goto(`${origin}${path}`);
    return tab;
  };
  const shown = (tab: Tab) =>
    tab.locator('.tabs > section:visible').evaluateAll((all) => all.map(({ id }) => id));

  it('copies the address and announces it', async () => {
    const tab = await open('/dashboard/connect');
    const button = tab.locator('.copy.large button');
    await button.click();
    await button.filter({ hasText: 'Copied' }).waitFor();
    expect(await tab.textContent('#announcement')).toBe('Copied');
    expect(await tab.evaluate('navigator.clipboard.readText()')).toBe('https://me.example/mcp');
  });

  it('shows one app at a time by click, key and address, and remembers the choice', async () => {
    const tab = await open('/dashboard/connect');
    expect(await shown(tab)).toEqual(['claude-code']);
    await tab.focus('[role=tab][aria-selected=true]');
    for (const [key, id] of [
      ['ArrowRight', 'codex'],
      ['End', 'other'],
      ['ArrowRight', 'claude-code'],
      ['ArrowLeft', 'other'],
      ['Home', 'claude-code'],
    ] as const) {
      await tab.keyboard.press(key);
      expect(await shown(tab)).toEqual([id]);
    }
    await tab.click('[href="#cursor"]');
    expect(await shown(tab)).toEqual(['cursor']);
    await tab.reload();
    expect(await shown(tab)).toEqual(['cursor']);
    await tab.goto(`${origin}/dashboard/connect#chatgpt`);
    expect(await shown(tab)).toEqual(['chatgpt']);
  });

  it('updates the progress of an app while it connects', async () => {
    const tab = await open('/dashboard/connect#codex');
    expect(await tab.textContent('#codex-progress')).toContain('Waiting for Codex');
    const nothing = { grant_id: null, connections: [], prompt: null, approved_at: null };
    const unused = { listed_at: null, called_at: null };
    const asked = { key: 'codex', client: 'Codex', state: 'asked', asked_at: ASKED, since: ASKED } as const;
    progress = [{ ...nothing, ...unused, ...asked }];
    await tab.locator('#codex-progress', { hasText: 'The app is asking for access.' }).waitFor();
    expect(await tab.locator('#codex-dot .dot').count()).toBe(1);
    expect(await shown(tab)).toEqual(['codex']);
    progress = [];
  });

  it('ticks all streams of a connection, and shows a partial choice', async () => {
    const tab = await open('/form');
    const state = () =>
      tab.$eval('#all', (box) => {
        const { checked, indeterminate } = box as unknown as { checked: boolean; indeterminate: boolean };
        return [checked, indeterminate];
      });
    expect(await state()).toEqual([false, true]);
    await tab.check('#two');
    expect(await state()).toEqual([true, false]);
    await tab.uncheck('#all');
    expect([await tab.isChecked('#one'), await tab.isChecked('#two')]).toEqual([false, false]);
    expect(await state()).toEqual([false, false]);
  });

  it('is optional: without it every app is shown and every button works', async () => {
    const tab = await open('/dashboard/connect', { javaScriptEnabled: false });
    expect(await shown(tab)).toHaveLength(8);
    expect(await tab.locator('[data-copy]:visible').count()).toBe(0);
    expect(await tab.locator('.needs-script:visible').count()).toBe(0);
  });

  it.each([360, 390, 768])('leaves pages that fit into %i pixels', async (width) => {
    const tab = await open('/dashboard/connect', { width });
    expect(await tab.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  });
});
