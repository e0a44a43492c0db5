import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Frame } from 'playwright-core';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { connect } from '../../support/mcp-clients.ts';
import { startChromium } from '../../support/processes/chromium.ts';
import { useWorld } from '../../support/use-world.ts';
import { type ChartResource, openChartHost } from './chart-host.ts';
import { createChartWorld, HOSTILE_LABELS } from './chart-world.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const PICTURES = fileURLToPath(new URL('../../../artifacts/screenshots/', import.meta.url));
const WIDE = { width: 760, height: 700 };
const NARROW = { width: 300, height: 700 };

const world = await useWorld(createChartWorld());
const { client } = await connect(world, world.token, 2026);
const browser = await startChromium();
const host = await openChartHost(browser);
afterAll(async () => {
  await client.close();
  await host.close();
  await browser.close();
});

/** Reads the app that the list of tools names, as a host does. */
async function readApp(): Promise<ChartResource> {
  const { tools } = await client.listTools();
  const meta = tools.find(({ name }) => name === 'aggregate')?._meta as { ui: { resourceUri: string } };
  const { contents } = await client.readResource({ uri: meta.ui.resourceUri });
  return contents[0] as unknown as ChartResource;
}
const resource = await readApp();

const call = (args: object) =>
  client.callTool({ name: 'aggregate', arguments: { stream: 'notes', ...args } });

/** Shows the result of a real call. */
async function showCall(args: object, context: object = {}): Promise<Frame> {
  const frame = await host.show(resource, context);
  await host.sendResult(args, await call(args));
  await frame.waitForSelector('.drawing', { state: 'attached' });
  return frame;
}

async function listFaults(frame: Frame): Promise<string[]> {
  await frame.evaluate(AXE);
  const { violations } = (await frame.evaluate("axe.run(document, { resultTypes: ['violations'] })")) as {
    violations: { id: string; nodes: { target: string[] }[] }[];
  };
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

const overflows = (frame: Frame) =>
  frame.evaluate('document.documentElement.scrollWidth > window.innerWidth');

async function picture(name: string): Promise<void> {
  if (process.env.PICTURES !== undefined)
    await host.page.screenshot({ path: join(PICTURES, `chart-${name}.png`) });
}

beforeEach(async () => {
  host.problems.length = 0;
  await host.page.setViewportSize(WIDE);
});

const calls = {
  groups: { metric: 'sum', field: 'price', group_by: ['author'], limit: 6 },
  two: { group_by: ['author', 'pinned'] },
  months: { interval: 'month' },
  average: { metric: 'avg', field: 'price', interval: 'month' },
  panels: { interval: 'quarter', group_by: ['created_at', 'pinned'] },
  hours: { interval: 'hour_of_day' },
  ranges: { ranges: { spring: { gte: '2025-03-01', lt: '2025-06-01' }, 'last year': '2025' } },
  'ranges-groups': { ranges: { spring: '2025-03', may: '2025-05' }, group_by: ['author'] },
  number: { metric: 'sum', field: 'price' },
  empty: { group_by: ['author'], filter: { author: 'an' } },
  times: { metric: 'max', field: 'created_at', group_by: ['author'] },
  refused: { metric: 'sum', field: 'author' },
};

describe('the chart in a host of MCP Apps', () => {
  it.each(Object.entries(calls))(
    'has no accessibility problem and fits a narrow window: %s',
    async (name, args) => {
      for (const theme of ['light', 'dark']) {
        const frame = await showCall(args, { theme });
        await picture(`${name}-${theme}`);
        expect(await listFaults(frame)).toEqual([]);
        await host.page.setViewportSize(NARROW);
        await picture(`${name}-${theme}-narrow`);
        expect(await overflows(frame)).toBe(false);
        expect(await listFaults(frame)).toEqual([]);
        await host.page.setViewportSize(WIDE);
      }
      expect(host.problems).toEqual([]);
    },
  );

  it('requests nothing, and sends nothing but the handshake and its height', async () => {
    const frame = await showCall(calls.months);
    await frame.focus('#step');
    await host.page.keyboard.press('Home');
    expect(
      host.requested.filter((url) => !/^http:\/\/localhost:\d+\/\?csp=|^about:srcdoc$/.test(url)),
    ).toEqual([]);
    const sent = new Set((await host.evaluate('listMessages()')) as string[]);
    expect([...sent].sort()).toEqual([
      'ui/initialize',
      'ui/notifications/initialized',
      'ui/notifications/size-changed',
    ]);
  });

  it('shows hostile labels as text', async () => {
    const frame = await showCall({ group_by: ['author'], limit: 50 });
    const labels = await frame.locator('tbody th[scope=row] bdi').allTextContents();
    for (const label of HOSTILE_LABELS.filter((one) => /^[\x20-\x7e]+$/.test(one)))
      expect(labels).toContain(label);
    expect(labels).toContain('(empty)');
    expect(await frame.locator('img, tbody script').count()).toBe(0);
    expect(await frame.evaluate('document.title')).toBe('Number of records by author');
    expect(host.problems).toEqual([]);
  });

  it('takes the theme and the colours of the host, and follows a change', async () => {
    const variables = {
      '--color-background-primary': '#102030',
      '--color-text-primary': '#ffffff',
      '--color-text-secondary': '#dddddd',
      '--color-border-primary': '#556677',
      '--font-sans': 'serif',
    };
    const frame = await showCall(calls.groups, { theme: 'dark', styles: { variables } });
    const background = 'getComputedStyle(document.body).backgroundColor';
    expect(await frame.evaluate(background)).toBe('rgb(16, 32, 48)');
    expect(await listFaults(frame)).toEqual([]);
    const plain = await showCall(calls.groups, { theme: 'dark' });
    const dark = await plain.evaluate(background);
    await host.evaluate("setContext({ theme: 'light' })");
    await expect.poll(() => plain.evaluate(background)).not.toBe(dark);
  });

  it('ignores colours of a host that do not come together, and values that would load something', async () => {
    const alone = {
      '--color-text-primary': '#ffffff',
      '--font-sans': "url('https://elsewhere.example/font')",
    };
    const frame = await showCall(calls.groups, { theme: 'light', styles: { variables: alone } });
    expect(await frame.evaluate('document.documentElement.style.length')).toBe(1);
    expect(await listFaults(frame)).toEqual([]);
  });

  it('is read step by step with the keyboard', async () => {
    const frame = await showCall(calls.months, { locale: 'en-GB' });
    await frame.focus('.scroll');
    await host.page.keyboard.press('Shift+Tab');
    expect(await frame.evaluate('document.activeElement.id')).toBe('step');
    const read = () => frame.getAttribute('#step', 'aria-valuetext');
    expect(await read()).toMatch(/^Aug 2026: \d+$/);
    await host.page.keyboard.press('ArrowLeft');
    expect(await read()).toMatch(/^Jul 2026: \d+$/);
    expect(await frame.textContent('output')).toBe(await read());
    await host.page.keyboard.press('Home');
    expect(await read()).toBe('Jan 2025: 3');
  });

  it('reports its height, so that the host shows it whole', async () => {
    const frame = await showCall(calls.groups);
    await expect
      .poll(() => frame.evaluate('document.documentElement.scrollHeight <= window.innerHeight'))
      .toBe(true);
  });

  it('says that it waits, and that a call was cancelled', async () => {
    const frame = await host.show(resource);
    expect(await frame.textContent('[role=status]')).toBe('Waiting for the result.');
    expect(await listFaults(frame)).toEqual([]);
    await host.evaluate('cancel()');
    await expect.poll(() => frame.textContent('[role=status]')).toBe('The call was cancelled.');
  });

  it('answers the host before it is removed', async () => {
    await showCall(calls.number);
    expect(await host.evaluate('tearDown()')).toEqual({});
  });
});
