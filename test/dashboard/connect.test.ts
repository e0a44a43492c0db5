import { beforeEach, describe, expect, it } from 'vitest';
import { createAudit } from '../../src/audit/audit.ts';
import { type AccessEvent, createEventLog } from '../../src/audit/events.ts';
import { revokeGrant, storeGrant } from '../../src/grants/grant-store.ts';
import { resolveGrant } from '../../src/grants/resolve-grant.ts';
import { createGuide } from '../../src/guide/connect-guide.ts';
import { PLACEHOLDER_ADDRESS } from '../../src/guide/guide-clients.ts';
import { loadCatalog } from '../../src/schema-index/catalog.ts';
import { type ConnectView, viewConnect } from '../../src/views/connect.ts';
import { createNotesWorld } from '../support/notes-source.ts';
import { useSignedInWorld } from '../support/use-world.ts';
import { NOW, ORIGIN } from '../support/world.ts';

const CLAUDE_CODE = 'https://claude.ai/oauth/claude-code-client-metadata';
const secondsAgo = (seconds: number) => new Date(NOW.getTime() - seconds * 1_000);
const timeOf = (seconds: number) => secondsAgo(seconds).toISOString();

const { world, owner: browser } = await useSignedInWorld(createNotesWorld({ timeZone: 'Europe/Berlin' }));
beforeEach(() => {
  world.store.audit.raw.exec('delete from events; delete from audit');
  world.store.write.raw.exec('delete from tokens; delete from grants');
});

const tell = (event: AccessEvent, seconds: number) =>
  createEventLog(world.store.audit)(event, secondsAgo(seconds));
const approve = async (clientName: string, clientId: string | undefined, seconds: number) => {
  const { streams } = resolveGrant(await loadCatalog(world.store.read), [{ connection_id: 'home' }]);
  return storeGrant(world.store.write, { clientName, clientId, streams }, secondsAgo(seconds));
};
const read = (grantId: string, seconds: number) =>
  createAudit(world.store.audit)(
    {
      requestId: 'req_1',
      client: 'Claude Code',
      grantId,
      surface: 'mcp',
      tool: 'schema',
      connectionIds: [],
      streams: [],
      fields: [],
      records: 0,
      tokensOut: 1,
      ms: 1,
      outcome: 'ok',
    },
    secondsAgo(seconds),
  );
const view = async (): Promise<ConnectView> =>
  JSON.parse((await browser.open('/dashboard/connect.json')).text);
const panelOf = async (key: string) => {
  const { text } = await browser.open('/dashboard/connect');
  const found = new RegExp(`id="${key}-progress"[^>]*>([\\s\\S]*?)</div>`).exec(text)?.[1];
  return found
    ?.replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
};

describe('/dashboard/connect', () => {
  it('shows the server address first, then the apps', async () => {
    const { text } = await browser.open('/dashboard/connect');
    const large = text.indexOf(`<div class="copy large"><code>${ORIGIN}/mcp</code>`);
    expect(large).toBeGreaterThan(0);
    expect(large).toBeLessThan(text.indexOf('claude mcp add'));
    expect(text.match(/copy large/g)).toHaveLength(1);
    expect(text).not.toMatch(/\sstyle=|<script>|undefined|\[object/);
  });

  it('works without script: every app is a section with a link to it', async () => {
    const { text } = await browser.open('/dashboard/connect');
    for (const { key } of createGuide(ORIGIN).clients) {
      expect(text).toContain(`<a href="#${key}">`);
      expect(text).toContain(`<section id="${key}" class="card"`);
    }
    expect(text.slice(text.indexOf('<main'))).not.toContain(' hidden');
  });

  it('names the apps that cannot reach the address', async () => {
    const { text } = await browser.open('/dashboard/connect');
    expect(text).toContain('This address works on this computer only.');
    expect(text.match(/Not reachable/g)).toHaveLength(2);
    const open = await viewConnect(world.store, createGuide('https://me.example'), NOW);
    expect(open.reachability.warning).toBeNull();
  });

  it('explains how to make the server reachable before steps for apps that call from the internet', async () => {
    const { text } = await browser.open('/dashboard/connect');
    const section = (key: string) =>
      text.slice(text.indexOf(`<section id="${key}"`)).split('</section>')[0] ?? '';
    for (const key of ['chatgpt', 'claude']) {
      const places = [
        'caddy reverse-proxy',
        'cloudflared tunnel',
        'tailscale funnel',
        '<ol class="todo">',
      ].map((words) => section(key).indexOf(words));
      expect(places.every((place) => place > 0)).toBe(true);
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      expect(section(key)).not.toMatch(/waiting/i);
      // What is copied or filled in is never the address that this app cannot call.
      const steps = section(key).split('<ol class="todo">')[1] ?? '';
      expect(steps).not.toMatch(new RegExp(`${ORIGIN}|${encodeURIComponent(ORIGIN)}`));
      expect(steps).toContain(
        key === 'claude' ? encodeURIComponent(PLACEHOLDER_ADDRESS) : PLACEHOLDER_ADDRESS,
      );
    }
    expect(section('claude-code')).toContain('Waiting for Claude Code');
    expect(section('claude-code')).not.toContain('caddy');
    expect(createGuide('https://me.example').recipes).toEqual([]);
    expect((await browser.open('/dashboard/connect.md')).text).toContain('tailscale funnel');
  });

  it('has a section for apps that only start a program', async () => {
    const { text } = await browser.open('/dashboard/connect');
    expect(text).toContain(`pdpp connect ${ORIGIN}`);
    expect(text.replaceAll('&quot;', '"')).toMatch(/"command": "pdpp",\s+"args": \[\s+"mcp",/);
  });

  it('is the same as JSON and as Markdown', async () => {
    const { clients, mcp_url } = await view();
    expect(mcp_url).toBe(`${ORIGIN}/mcp`);
    expect(clients).toEqual(JSON.parse(JSON.stringify(createGuide(ORIGIN).clients)));
    const markdown = await browser.open('/dashboard/connect.md');
    expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(markdown.text).toContain(`claude mcp add --transport http pdpp ${ORIGIN}/mcp`);
    const asked = await browser.send('/dashboard/connect', { headers: { accept: 'text/markdown' } });
    expect(asked.text).toBe(markdown.text);
  });

  it('suggests a question for each connection with records', async () => {
    const { prompts } = await view();
    expect(prompts).toEqual([
      {
        connection_id: 'home',
        source: 'Notes of home',
        prompt: 'Find what I wrote in Notes of home about my plans for 2026.',
        needs: 'the body of notes',
      },
    ]);
  });
});

describe('the progress of an app', () => {
  it('waits until the app sends a request', async () => {
    expect((await view()).progress).toEqual([]);
    expect(await panelOf('claude-code')).toContain('Waiting for Claude Code.');
  });

  it('follows the app from its request to its first read, with times', async () => {
    await tell({ kind: 'asked', clientId: CLAUDE_CODE, client: 'Claude Code' }, 50);
    expect((await view()).progress).toMatchObject([
      { key: 'claude-code', state: 'asked', asked_at: timeOf(50) },
    ]);
    expect(await panelOf('claude-code')).toContain('The app is asking for access.');

    const { grantId } = await approve('Claude Code', CLAUDE_CODE, 40);
    expect((await view()).progress).toMatchObject([
      { state: 'approved', approved_at: timeOf(40), asked_at: timeOf(50) },
    ]);

    await tell({ kind: 'listed', clientId: CLAUDE_CODE, client: 'Claude Code', grantId }, 30);
    expect((await view()).progress).toMatchObject([
      { state: 'listed', listed_at: timeOf(30), called_at: null },
    ]);

    await read(grantId, 20);
    expect((await view()).progress).toMatchObject([
      { state: 'called', called_at: timeOf(20), grant_id: grantId },
    ]);
    const line = await panelOf('claude-code');
    expect(line).toContain('First read 16 Nov 2026, 12:59:40');
    expect(line).toContain('View reads');
  });

  it('explains what to do when the app only lists the tools', async () => {
    const { grantId } = await approve('ChatGPT', 'https://chatgpt.com/oauth/client.json', 600);
    await tell({ kind: 'listed', client: 'ChatGPT', grantId }, 590);
    const line = await panelOf('chatgpt');
    expect(line).toContain('The app is connected but has not read any data yet. Open a new chat');
    expect(line).toContain('Try asking: “Find what I wrote');
  });

  it('waits a minute before it explains', async () => {
    await approve('Codex', 'https://chatgpt.com/oauth/codex/client.json', 30);
    expect(await panelOf('codex')).toContain('Approved. The app has not listed the tools yet.');
    expect(await panelOf('codex')).not.toContain('Start a new Codex session');
    world.store.write.raw.exec('delete from grants');
    await approve('Codex', 'https://chatgpt.com/oauth/codex/client.json', 90);
    expect(await panelOf('codex')).toContain('Start a new Codex session');
  });

  it('shows that the owner denied access and that the app asked again', async () => {
    await tell({ kind: 'asked', client: 'Cursor', clientId: 'k3v9' }, 50);
    await tell({ kind: 'denied', client: 'Cursor', clientId: 'k3v9' }, 40);
    expect((await view()).progress).toMatchObject([{ key: 'cursor', state: 'denied', since: timeOf(40) }]);
    await tell({ kind: 'asked', client: 'Cursor', clientId: 'k3v9' }, 30);
    expect((await view()).progress).toMatchObject([{ key: 'cursor', state: 'asked' }]);
  });

  it('shows that access has ended until the app asks again', async () => {
    const { grantId } = await approve('Codex', 'https://chatgpt.com/oauth/codex/client.json', 90);
    await revokeGrant(world.store.write, grantId, secondsAgo(60));
    expect((await view()).progress).toMatchObject([{ key: 'codex', state: 'ended', since: timeOf(60) }]);
    await tell(
      { kind: 'asked', client: 'Codex', clientId: 'https://chatgpt.com/oauth/codex/client.json' },
      10,
    );
    expect((await view()).progress).toMatchObject([{ key: 'codex', state: 'asked', approved_at: null }]);
  });

  it('lists the latest five unknown apps by name', async () => {
    for (const [i, name] of ['one', 'two', 'three', 'four', 'five', 'six'].entries())
      await tell({ kind: 'registered', client: name, clientId: `dyn_${i}` }, 60 - i);
    const { progress } = await view();
    expect(progress.map(({ key, client }) => [key, client])).toEqual(
      ['six', 'five', 'four', 'three', 'two'].map((name) => ['other', name]),
    );
    expect(await panelOf('other')).toContain('six');
  });

  it('shows names of unknown apps as text', async () => {
    await tell({ kind: 'registered', client: '<img src=x>\u202e', clientId: 'dyn_1' }, 5);
    const { text } = await browser.open('/dashboard/connect');
    expect(text).not.toContain('<img src=x>');
    expect(text).toContain('&lt;img src=x&gt;\\u{202e}');
  });
});
