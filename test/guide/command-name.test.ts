import { describe, expect, it } from 'vitest';
import { commands } from '../../src/cli/table/commands.ts';
import {
  createCommandFormat,
  nameCommand,
  nameProgram,
  quote,
  type Start,
} from '../../src/guide/command-name.ts';
import { createGuide, createPublicFormat } from '../../src/guide/connect-guide.ts';

const path = ['/usr/local/bin', '/usr/bin'];
const node = '/usr/bin/node';
const start = (script: string, more: Partial<Start> = {}): Start => ({
  script,
  node,
  isShellNode: true,
  path,
  ...more,
});
const tarball = '/home/a/my files/pdpp-0.1.0.tgz';
const cached = '/home/a/.npm/_npx/1f/node_modules/.bin/pdpp';
const called = { command: 'npx pdpp', program: ['npx', 'pdpp'] };

describe('the command that runs the program from any folder', () => {
  it.each<[what: string, start: Start, command: string, program: string[]]>([
    ['a link that the shell finds', start('/usr/local/bin/pdpp'), 'pdpp', [node, '/usr/local/bin/pdpp']],
    ['a link elsewhere', start('/opt/my bin/pdpp'), "'/opt/my bin/pdpp'", [node, '/opt/my bin/pdpp']],
    [
      'a link that only npm has put on the PATH',
      start('/home/a/node_modules/.bin/pdpp', { path: ['/home/a/node_modules/.bin', ...path] }),
      '/home/a/node_modules/.bin/pdpp',
      [node, '/home/a/node_modules/.bin/pdpp'],
    ],
    ['npx', start(cached), 'npx pdpp', ['npx', 'pdpp']],
    ['npx with a file', start(cached, { tarball }), `npx '${tarball}'`, ['npx', tarball]],
    [
      'the build',
      start('/clone/dist/src/cli.js'),
      'node /clone/dist/src/cli.js',
      [node, '/clone/dist/src/cli.js'],
    ],
    [
      'the build, with a Node that is not the one of the shell',
      start('/my clone/dist/src/cli.js', { node: '/opt/node 22/node', isShellNode: false }),
      "'/opt/node 22/node' '/my clone/dist/src/cli.js'",
      ['/opt/node 22/node', '/my clone/dist/src/cli.js'],
    ],
    [
      'the sources',
      start('/clone/src/cli.ts'),
      'node /clone/scripts/pdpp.mjs',
      [node, '/clone/scripts/pdpp.mjs'],
    ],
    ['as part of something else', start('/x/vitest.mjs'), 'pdpp', ['pdpp']],
  ])('by %s', (_, from, command, program) => {
    expect(nameCommand(from)).toBe(command);
    expect(nameProgram(from)).toEqual(program);
  });

  it('includes the data folder only for commands that use it', () => {
    const format = createCommandFormat({ ...called, folder: '/my data' });
    expect(format('owner reset')).toBe("npx pdpp owner reset --data '/my data'");
    expect(format('grant revoke', '--all')).toBe("npx pdpp grant revoke --data '/my data' --all");
    expect(format('import', 'FILE')).toBe("npx pdpp import --data '/my data' FILE");
    expect(format('query', 'STREAM')).toBe('npx pdpp query STREAM');
    for (const { name, options } of commands)
      expect(format(name).includes('--data'), name).toBe('data' in options);
  });

  it('includes a port other than the default for serve', () => {
    const formatWith = (port: number) => createCommandFormat({ ...called, port });
    expect(formatWith(8080)('serve')).toBe('npx pdpp serve --port 8080');
    expect(formatWith(8080)('doctor')).toBe('npx pdpp doctor');
    expect(formatWith(7733)('serve')).toBe('npx pdpp serve');
  });

  it('is used in the stdio configuration on this computer', () => {
    const clone = { command: 'node /clone/dist/src/cli.js', program: [node, '/clone/dist/src/cli.js'] };
    const stdioOf = (origin: string) => createGuide(origin, clone).clients.at(-1)?.steps[2];
    const [here, elsewhere] = [stdioOf('http://127.0.0.1:7733'), stdioOf('https://a.example')];
    expect(here?.text).toContain('`node /clone/dist/src/cli.js connect http://127.0.0.1:7733`');
    expect(JSON.parse(here?.copy ?? '').mcpServers.pdpp).toEqual({
      command: node,
      args: ['/clone/dist/src/cli.js', 'mcp', 'http://127.0.0.1:7733'],
    });
    expect(JSON.parse(elsewhere?.copy ?? '').mcpServers.pdpp.command).toBe('pdpp');
  });

  it('is shown on the connect page with the current folder and port', () => {
    expect(createGuide('http://127.0.0.1:8080', called).cli.copy).toBe(
      'npx pdpp connect http://127.0.0.1:8080',
    );
    const own = { ...called, folder: '/data', port: 8080 };
    for (const origin of ['http://127.0.0.1:8080', 'https://home.lan']) {
      const { recipes } = createGuide(origin, own);
      const copied = recipes.flatMap(({ steps }) => steps.flatMap(({ copy }) => copy ?? []));
      const [tunnels, serves] = [
        copied.filter((line) => !line.startsWith('npx')),
        copied.filter((line) => line.startsWith('npx')),
      ];
      expect(tunnels.every((line) => /\b8080$/.test(line))).toBe(true);
      expect(
        serves.filter((line) =>
          line.startsWith('npx pdpp serve --data /data --port 8080 --public-url https://'),
        ),
      ).toHaveLength(3);
    }
  });

  it('is the plain name for readers on other computers, without local paths', () => {
    const secret = { command: 'node /home/me/pdpp', program: [node, '/home/me/pdpp'], folder: '/home/me/d' };
    const { cli, clients } = createGuide('https://a.example', secret);
    expect(JSON.stringify([cli, clients])).not.toContain('/home/me');
    expect(createPublicFormat('https://a.example', secret)('owner reset')).toBe(
      'pdpp owner reset --data FOLDER',
    );
    expect(createPublicFormat('http://127.0.0.1:7733', secret)('owner reset')).toBe(
      'node /home/me/pdpp owner reset --data FOLDER',
    );
  });
});

it.each([
  ['plain', 'plain'],
  ['', "''"],
  ["it's", `'it'\\''s'`],
  ['a b', "'a b'"],
  ['$(x)', "'$(x)'"],
])('a word of a shell: %j is %s', (word, quoted) => {
  expect(quote(word)).toBe(quoted);
});
