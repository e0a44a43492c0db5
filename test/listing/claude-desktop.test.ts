import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  getMcpConfigForManifest,
  type McpbManifestAny,
  unpackExtension,
  VERSIONED_MANIFEST_SCHEMAS,
} from '@anthropic-ai/mcpb';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeManifest, packBundle, writeBundleFiles } from '../../scripts/build-mcpb.ts';
import { createDiaryWorld } from '../support/diary-world.ts';
import { FIVE_TOOLS } from '../support/mcp-clients.ts';
import { makeProject, type Project } from '../support/processes/project.ts';
import { startTinyServer, type TinyServer } from '../support/servers/tiny-server.ts';
import { useFolder } from '../support/temp-folder.ts';
import type { World } from '../support/world.ts';

const MAX_BYTES = 1_000_000;
const folder = useFolder();
const packed = join(folder, 'pdpp.mcpb');
const installed = join(folder, 'installed');
const dataFolder = join(folder, 'data folder');
let world: World & { mine: string };
let server: TinyServer;
let project: Project;

beforeAll(async () => {
  world = await createDiaryWorld();
  server = await startTinyServer(world, ['mine']);
  project = makeProject(folder);
  mkdirSync(dataFolder);
  await writeBundleFiles(join(folder, 'files'));
  await packBundle(join(folder, 'files'), packed);
  expect(await unpackExtension({ mcpbPath: packed, outputDir: installed, silent: true })).toBe(true);
});
afterAll(() => {
  server.close();
  world.close();
});

const manifest = () => JSON.parse(readFileSync(join(installed, 'manifest.json'), 'utf8')) as McpbManifestAny;

/** How Claude Desktop starts the extension, with the settings that a person made. */
async function findCommand(settings: Record<string, string>) {
  const config = await getMcpConfigForManifest({
    manifest: manifest(),
    extensionPath: installed,
    systemDirs: { HOME: folder },
    userConfig: settings,
    pathSeparator: '/',
  });
  const { command, args = [] } = config as { command: string; args?: string[] };
  expect(command).toBe('node');
  const environment = {
    HOME: folder,
    PATH: process.env.PATH ?? '',
    XDG_CONFIG_HOME: project.config,
    BROWSER: join(folder, 'fake-browser'),
  };
  return { command: process.execPath, args, env: environment, cwd: folder };
}

async function connect(): Promise<Client> {
  const client = new Client({ name: 'claude-desktop', version: '1' });
  const transport = new StdioClientTransport({
    ...(await findCommand({ data_folder: dataFolder })),
    stderr: 'pipe',
  });
  await client.connect(transport);
  return client;
}

describe('the bundle for Claude Desktop', () => {
  it('has a manifest of the published form, with the tools as they are listed', () => {
    expect(VERSIONED_MANIFEST_SCHEMAS['0.3'].safeParse(manifest()).error).toBeUndefined();
    expect(manifest()).toEqual(makeManifest());
    expect(manifest().tools?.map(({ name }) => name)).toEqual(FIVE_TOOLS);
    expect(manifest()).toMatchObject({ privacy_policies: [expect.stringMatching(/^https:.+PRIVACY\.md$/)] });
  });

  it('is small, and the same on all platforms: no module compiled for one of them', () => {
    const names = execFileSync('find', [installed, '-type', 'f'], { encoding: 'utf8' });
    expect(names).not.toMatch(/\.node$/m);
    const script = readFileSync(join(installed, 'server/index.js'), 'utf8');
    const imported = [...script.matchAll(/^import .*?["']([^"']+)["'];?$/gm)].map(
      ([, name]) => name as string,
    );
    expect(imported.filter((name) => !name.startsWith('node:'))).toEqual([]);
    expect(readFileSync(packed).length).toBeLessThan(MAX_BYTES);
    for (const file of ['README.md', 'PRIVACY.md', 'LICENSE', 'icon.png'])
      expect(existsSync(join(installed, file))).toBe(true);
    expect(readFileSync(join(installed, 'README.md'), 'utf8')).toContain('## Privacy Policy');
  });

  it('finds the server by its data folder, signs in with the browser once, and serves the tools', async () => {
    writeFileSync(
      join(dataFolder, 'serve.json'),
      JSON.stringify({ pid: 1, url: server.origin, started_at: '' }),
    );
    const first = await connect();
    expect((await first.listTools()).tools.map(({ name }) => name)).toEqual(FIVE_TOOLS);
    const counted = await first.callTool({ name: 'aggregate', arguments: { stream: 'entries' } });
    expect(counted.structuredContent).toMatchObject({ data: { total: 3 } });
    const chart = await first.readResource({ uri: 'ui://pdpp/chart' });
    expect(chart.contents[0]).toMatchObject({ mimeType: 'text/html;profile=mcp-app' });
    await first.close();
    expect(project.opened()).toHaveLength(1);
    const second = await connect();
    expect((await second.listTools()).tools).toHaveLength(FIVE_TOOLS.length);
    await second.close();
    expect(project.opened()).toHaveLength(1);
  });

  it.each([
    ['there is no note of a server', undefined],
    ['the note is none', '{"url":3}'],
    ['the note names an address that a token must not be sent to', '{"url":"http://elsewhere.example"}'],
  ])('says what to do if %s', async (_, note) => {
    const empty = join(folder, `data-${note?.length}`);
    mkdirSync(empty);
    if (note !== undefined) writeFileSync(join(empty, 'serve.json'), note);
    const { command, args, env, cwd } = await findCommand({ data_folder: empty });
    const { status, stderr } = run(command, args, { env, cwd });
    expect(status).toBe(2);
    expect(stderr).toContain('No pdpp server runs on this data folder.\nStart it with: npx pdpp serve.');
  });

  it('says that the server does not answer, if the note outlived it', async () => {
    const left = join(folder, 'left');
    mkdirSync(left);
    writeFileSync(join(left, 'serve.json'), '{"url":"http://127.0.0.1:9"}');
    const { command, args, env, cwd } = await findCommand({ data_folder: left });
    const { status, stderr } = run(command, args, { env, cwd });
    expect([status, stderr.split('\n')[0]]).toEqual([2, 'Cannot reach http://127.0.0.1:9.']);
  });
});

function run(command: string, args: string[], options: { env: NodeJS.ProcessEnv; cwd: string }) {
  const { status, stderr } = spawnSync(command, args, { ...options, encoding: 'utf8', input: '' });
  return { status, stderr };
}
