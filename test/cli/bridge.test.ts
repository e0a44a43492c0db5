import { join } from 'node:path';
import { Client as Client2026 } from '@modelcontextprotocol/client';
import { StdioClientTransport as Transport2026 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientOf2025 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as TransportOf2025 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createGuide } from '../../src/guide/connect-guide.ts';
import { createDiaryWorld } from '../support/diary-world.ts';
import { FIVE_TOOLS } from '../support/mcp-clients.ts';
import { findBuild } from '../support/processes/build.ts';
import { makeProject, type Project } from '../support/processes/project.ts';
import { startTinyServer, type TinyServer } from '../support/servers/tiny-server.ts';
import type { World } from '../support/world.ts';

let world: World & { mine: string };
let server: TinyServer;
beforeAll(async () => {
  world = await createDiaryWorld();
  server = await startTinyServer(world, ['mine']);
});
afterAll(() => {
  server.close();
  world.close();
});

async function connect(): Promise<Project> {
  const project = makeProject();
  await project.connect(server.origin);
  return project;
}

const command = (project: Project) => ({
  command: process.execPath,
  args: [join(findBuild(), 'src/cli.js'), 'mcp', server.origin],
  cwd: project.folder,
  env: { HOME: '/nonexistent', XDG_CONFIG_HOME: project.config },
});

const line = (message: object) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
const hello = line({
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});

describe('pdpp mcp', () => {
  it('serves a client of the 2026 protocol over stdio', async () => {
    const client = new Client2026({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    onTestFinished(() => client.close());
    await client.connect(new Transport2026(command(await connect())));
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(FIVE_TOOLS);
    const counted = await client.callTool({ name: 'aggregate', arguments: { stream: 'entries' } });
    expect(counted.structuredContent).toMatchObject({ data: { total: 3 } });
    const refused = await client.callTool({ name: 'query_records', arguments: { stream: 'nope' } });
    expect(refused).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'unknown_stream' } },
    });
  });

  it('serves a client of the 2025 protocol over stdio, and renews its access meanwhile', async () => {
    const project = await connect();
    const client = new ClientOf2025({ name: 'test', version: '1' });
    onTestFinished(() => client.close());
    await client.connect(new TransportOf2025(command(project)));
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(FIVE_TOOLS);
    server.manners.forgetTokens = true;
    const counted = await client.callTool({ name: 'aggregate', arguments: { stream: 'entries' } });
    expect(counted.structuredContent).toMatchObject({ data: { total: 3 } });
  });

  it('serves Claude Desktop with its config file, from any folder and without PATH', async () => {
    const project = await connect();
    const program = [process.execPath, join(findBuild(), 'src/cli.js')];
    const { clients } = createGuide(server.origin, { command: 'pdpp', program });
    const steps = clients.find(({ key }) => key === 'claude-desktop')?.steps ?? [];
    const { mcpServers } = JSON.parse(steps.find(({ copy }) => copy?.startsWith('{'))?.copy ?? '');
    const client = new ClientOf2025({ name: 'claude-ai', version: '0.1.0' });
    onTestFinished(() => client.close());
    const env = { HOME: '/nonexistent', PATH: '/nonexistent', XDG_CONFIG_HOME: project.config };
    await client.connect(new TransportOf2025({ ...mcpServers.pdpp, cwd: '/', env }));
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(FIVE_TOOLS);
    const counted = await client.callTool({ name: 'aggregate', arguments: { stream: 'entries' } });
    expect(counted.structuredContent).toMatchObject({ data: { total: 3 } });
  });

  it('forwards messages unchanged, and ends when all are answered', async () => {
    const project = await connect();
    const input = [
      hello,
      line({ method: 'notifications/initialized' }),
      'not a message\n',
      line({ id: 'two', method: 'tools/list' }),
      line({ id: 3, method: 'no/such/method' }),
      line({ id: 4, method: 'tools/call', params: { name: 'schema', arguments: { stream: 'entries' } } }),
      line({ id: 5, method: 'subscriptions/listen', params: {} }),
    ];
    const { code, out, err } = await project.run(['mcp'], { input: input.join('') });
    expect([code, err]).toEqual([0, '']);
    const answers = out
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text));
    expect(answers.every((answer) => answer.jsonrpc === '2.0')).toBe(true);
    const answerTo = (id: unknown) => answers.find((answer) => answer.id === id);
    expect(answers).toHaveLength(5);
    expect(answerTo(1).result).toMatchObject({ protocolVersion: '2025-06-18', serverInfo: { name: 'pdpp' } });
    expect(answerTo('two').result.tools).toHaveLength(5);
    expect(answerTo(3).error).toEqual({ code: -32601, message: 'Method not found' });
    expect(answerTo(5).error).toEqual({ code: -32601, message: 'Method not found' });
    expect(answerTo(4).result.structuredContent.data.sources).toHaveLength(1);
  });

  it('answers requests that it cannot forward, and logs the reason on stderr', async () => {
    const project = await connect();
    server.manners.forgetTokens = true;
    server.manners.refuseRefresh = true;
    const { code, out, err } = await project.run(['mcp'], { input: hello });
    delete server.manners.refuseRefresh;
    const message = `Access has ended. Run: pdpp connect ${server.origin}`;
    expect(JSON.parse(out)).toEqual({ jsonrpc: '2.0', id: 1, error: { code: -32603, message } });
    expect([code, err]).toEqual([0, `${message}\n`]);
  });

  it('starts only after pdpp connect, and ignores tokens in the environment', async () => {
    const owner = await world.ownerToken();
    const environment = { PDPP_TOKEN: owner, PDPP_OWNER_TOKEN: owner, PDPP_ACCESS_TOKEN: owner };
    for (const args of [['mcp'], ['mcp', server.origin]]) {
      const { code, out, err } = await makeProject().run(args, { input: hello, environment });
      expect([code, out]).toEqual([4, '']);
      expect(err).toMatch(/Not connected to/);
      expect(err).not.toContain(owner);
    }
  });
});
