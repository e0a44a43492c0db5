import { describe, expect, it } from 'vitest';
import { createGuide, type Step } from '../../src/guide/connect-guide.ts';
import type { ClientKey } from '../../src/guide/guide-clients.ts';
import { writeGuideMarkdown } from '../../src/guide/guide-text.ts';
import { recogniseClient } from '../../src/guide/recognise-client.ts';

const ORIGIN = 'https://me.example';
const URL_OF_MCP = `${ORIGIN}/mcp`;
const guide = createGuide(ORIGIN);
const find = (key: ClientKey) => {
  const client = guide.clients.find((one) => one.key === key);
  if (client === undefined) throw new Error(`no ${key}`);
  return client;
};
const copies = (steps: readonly Step[]) => steps.flatMap(({ copy }) => copy ?? []);
const links = (steps: readonly Step[]) => steps.flatMap(({ link }) => link?.href ?? []);

describe('the guide', () => {
  it('lists the apps, most requested first', () => {
    expect(guide.clients.map(({ name }) => name)).toEqual([
      'Claude Code',
      'Codex',
      'Claude Desktop',
      'ChatGPT',
      'Claude on the web',
      'Cursor',
      'VS Code',
      'Other apps',
    ]);
  });

  it('has the exact commands of the terminal apps', () => {
    expect(copies(find('claude-code').steps)).toEqual([
      `claude mcp add --transport http pdpp ${URL_OF_MCP}`,
      'claude mcp login pdpp',
    ]);
    expect(copies(find('codex').steps)).toEqual([`codex mcp add pdpp --url ${URL_OF_MCP}`]);
    expect(copies(find('codex').otherwise)).toContain(`[mcp_servers.pdpp]\nurl = "${URL_OF_MCP}"`);
    expect(copies(find('other').otherwise)).toEqual(
      expect.arrayContaining([
        `gemini mcp add --transport http pdpp ${URL_OF_MCP}`,
        `copilot mcp add --transport http pdpp ${URL_OF_MCP}`,
      ]),
    );
    expect([guide.cli.copy, guide.agents.copy]).toEqual([`pdpp connect ${ORIGIN}`, `${ORIGIN}/llms.txt`]);
  });

  it('has the Claude Desktop configuration with an absolute program path', () => {
    const called = { command: 'node /p/cli.js', program: ['/usr/bin/node', '/p/cli.js'] };
    const { clients } = createGuide('http://127.0.0.1:8080', called);
    const desktop = clients.find(({ key }) => key === 'claude-desktop');
    const [connect, config = ''] = copies(desktop?.steps ?? []);
    expect(connect).toBe('node /p/cli.js connect http://127.0.0.1:8080');
    expect(JSON.parse(config)).toEqual({
      mcpServers: {
        pdpp: { command: '/usr/bin/node', args: ['/p/cli.js', 'mcp', 'http://127.0.0.1:8080'] },
      },
    });
    expect(desktop?.verdict.works).toBe('yes');
    expect(desktop?.brief).toContain(JSON.stringify(JSON.parse(config)));
  });

  it('fills in name and address in install links', () => {
    const [claude] = links(find('claude').steps);
    expect(Object.fromEntries(new URL(claude as string).searchParams)).toEqual({
      modal: 'add-custom-connector',
      connectorName: 'pdpp',
      connectorUrl: URL_OF_MCP,
    });
    const [cursor] = links(find('cursor').steps);
    const config = new URL(cursor as string).searchParams.get('config') as string;
    expect(JSON.parse(Buffer.from(config, 'base64').toString())).toEqual({ url: URL_OF_MCP });
    const [code] = links(find('vs-code').steps);
    const server = { name: 'pdpp', type: 'http', url: URL_OF_MCP };
    expect(JSON.parse(decodeURIComponent((code as string).replace('vscode:mcp/install?', '')))).toEqual(
      server,
    );
    const [web] = links(find('vs-code').otherwise);
    expect(new URL(web as string).searchParams.get('url')).toBe(code);
  });

  it('offers the ChatGPT tunnel only if the address is not public', () => {
    const offered = (origin: string) =>
      links(createGuide(origin).clients.find(({ key }) => key === 'chatgpt')?.otherwise ?? []).length;
    expect([offered(ORIGIN), offered('http://127.0.0.1:7733')]).toEqual([0, 1]);
  });

  it('has the same texts as Markdown', () => {
    const text = writeGuideMarkdown(guide);
    for (const client of guide.clients)
      for (const said of [client.name, client.next, ...copies([...client.steps, ...client.otherwise])])
        expect(text).toContain(said);
    for (const said of [guide.mcp_url, guide.cli.copy, guide.agents.copy]) expect(text).toContain(said);
  });
});

describe('an app that requests access', () => {
  it.each([
    ['https://claude.ai/oauth/claude-code-client-metadata', 'Claude Code', 'claude-code'],
    ['https://claude.ai/oauth/mcp-oauth-client-metadata', 'Claude', 'claude'],
    ['https://chatgpt.com/oauth/codex/client.json', 'Codex', 'codex'],
    ['https://chatgpt.com/oauth/codex/abc/client.json', 'Codex', 'codex'],
    ['https://chatgpt.com/oauth/client.json', 'ChatGPT', 'chatgpt'],
    ['https://chatgpt.com/oauth/abc/client.json', 'ChatGPT', 'chatgpt'],
    ['https://vscode.dev/oauth/client-metadata.json', 'Visual Studio Code', 'vs-code'],
    ['https://github.com/copilot/cli/client-metadata.json', 'GitHub Copilot CLI', 'other'],
    ['k3v9', 'Claude Code (pdpp)', 'claude-code'],
    ['k3v9', 'Claude', 'claude'],
    [undefined, 'Claude Desktop', 'claude-desktop'],
    ['k3v9', 'Cursor', 'cursor'],
    ['k3v9', 'Codex', 'codex'],
    ['k3v9', 'mcporter', 'other'],
    [undefined, 'VS Code', 'vs-code'],
    [null, null, 'other'],
  ] as const)('with the id %s and the name %s is recognised as %s', (id, name, key) => {
    expect(recogniseClient(id, name)).toBe(key);
  });

  it('is not recognised by a name in its own metadata document', () => {
    expect(recogniseClient('https://elsewhere.example/client.json', 'Claude Code')).toBe('other');
    expect(
      recogniseClient('https://claude.ai.elsewhere.example/oauth/claude-code-client-metadata', 'Claude Code'),
    ).toBe('other');
  });
});
