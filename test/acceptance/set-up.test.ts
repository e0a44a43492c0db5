import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createGuide } from '../../src/guide/connect-guide.ts';
import { createDiaryWorld } from '../support/diary-world.ts';
import { runCli } from '../support/run-cli.ts';
import { useSignedInWorld } from '../support/use-world.ts';
import { ORIGIN } from '../support/world.ts';

const { owner: browser } = await useSignedInWorld(createDiaryWorld());

const METADATA = [
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/mcp',
  '/mcp/.well-known/oauth-protected-resource',
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
  '/.well-known/agent-skills/index.json',
];
const COPY = [
  '/dashboard',
  '/dashboard/connect',
  '/dashboard/connect.json',
  '/dashboard/connect.md',
  '/llms.txt',
];

/** A way to choose among sets of tools, by any name it had elsewhere, or a second endpoint. */
const SELECTOR =
  /profile|toolset|tool_set|[?&](mode|tools|readonly)=|--tools\b|7733\/mcp\/(?!\.well-known)\w/i;
const findSelector = (text: string) => SELECTOR.exec(text)?.[0];

const read = async (path: string) => {
  const page = await browser.open(path);
  expect([path, page.status]).toEqual([path, 200]);
  return page.text;
};

describe('acceptance: setting up', () => {
  it('no hosted or local MCP setup copy, metadata, or command advertises profile selectors', async () => {
    for (const path of [...METADATA, ...COPY]) expect(findSelector(await read(path))).toBeUndefined();
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    expect(findSelector(readme)).toBeUndefined();
    const { out, err } = await runCli(['--help']);
    expect(`${out}${err}`).toContain('pdpp');
    expect(findSelector(`${out}${err}`)).toBeUndefined();
  });

  it('protected-resource metadata advertises one MCP endpoint and no profiles', async () => {
    for (const path of METADATA.slice(0, 3)) {
      const text = await read(path);
      expect(text.match(/\/mcp"/g)).toHaveLength(1);
      expect(JSON.parse(text)).toMatchObject({ resource: `${ORIGIN}/mcp`, authorization_servers: [ORIGIN] });
      expect(findSelector(text)).toBeUndefined();
    }
  });

  it('setup copy shows one recommended path and no profile taxonomy', async () => {
    const page = await read('/dashboard/connect');
    // One address, in one large field, and one first step for each app.
    expect(page.match(/class="copy large"/g)).toHaveLength(1);
    const copied = [...page.matchAll(/data-copy="([^"]*)"/g)].map(([, text]) => text ?? '');
    const addresses = copied.flatMap((text) => text.match(/http:\/\/127\.0\.0\.1:7733[^\s&']*/g) ?? []);
    expect([...new Set(addresses)].sort()).toEqual([ORIGIN, `${ORIGIN}/llms.txt`, `${ORIGIN}/mcp`]);
    for (const { steps } of createGuide(ORIGIN).clients) expect(steps.length).toBeLessThanOrEqual(3);
    expect(findSelector(page)).toBeUndefined();
    expect(page).not.toMatch(/choose (a|your|one) (set|kind|level|mode)/i);
  });

  it('/dashboard/connect shows concrete setup copy for each kind of client without asking for owner bearer material', async () => {
    const page = (await read('/dashboard/connect')).replaceAll('&quot;', '"').replaceAll('&#39;', "'");
    for (const said of [
      `claude mcp add --transport http pdpp ${ORIGIN}/mcp`,
      `codex mcp add pdpp --url ${ORIGIN}/mcp`,
      'https://chatgpt.com/#settings/Connectors',
      `gemini mcp add --transport http pdpp ${ORIGIN}/mcp`,
      `pdpp connect ${ORIGIN}`,
      `${ORIGIN}/llms.txt`,
    ])
      expect(page.replaceAll('&amp;', '&')).toContain(said);
    // Claude cannot call this address, so the link into it has a place for the one that it can.
    expect(page).toContain(`connectorUrl=${encodeURIComponent('https://YOUR-ADDRESS/mcp')}`);
    expect(page).not.toContain(`connectorUrl=${encodeURIComponent(ORIGIN)}`);
    for (const path of COPY) {
      const text = await read(path);
      expect(text).not.toMatch(
        /bearer|authorization:|--header|api[ _-]?key|PDPP_TOKEN|pdpp_[A-Za-z0-9_-]{20}|owner token/i,
      );
    }
  });
});
