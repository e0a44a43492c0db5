import { describe, expect, it } from 'vitest';
import { commands } from '../../src/cli/table/commands.ts';
import {
  commandWords,
  nameCommand,
  nameProgram,
  quote,
  type Start,
  sayCommand,
} from '../../src/guide/command-name.ts';
import { createGuide } from '../../src/guide/connect-guide.ts';

const path = ['/usr/local/bin', '/usr/bin'];
const own = { command: 'run', package: 'pdpp' };

describe('how the program is called', () => {
  it.each<[what: string, start: Omit<Start, 'path'>, name: string]>([
    ['linked or installed for all', { script: '/usr/local/bin/pdpp', folder: '/home/a' }, 'pdpp'],
    [
      'a link that the shell does not find',
      { script: '/home/a/node_modules/.bin/pdpp', folder: '/home/a' },
      'node_modules/.bin/pdpp',
    ],
    [
      'npx',
      {
        script: '/home/a/node_modules/.bin/pdpp',
        folder: '/home/a',
        npm: { command: 'exec', package: 'mine' },
      },
      'npx pdpp',
    ],
    [
      'npx with a file',
      {
        script: '/home/a/.npm/_npx/1f/node_modules/.bin/pdpp',
        folder: '/',
        npm: { command: 'exec', package: '' },
        tarball: '/home/a/my files/pdpp-0.1.0.tgz',
      },
      "npx '/home/a/my files/pdpp-0.1.0.tgz'",
    ],
    [
      'npm run pdpp in a clone',
      { script: '/clone/src/cli.ts', folder: '/clone', npm: own },
      'npm run -s pdpp --',
    ],
    [
      'npm start in a clone',
      { script: '/clone/dist/src/cli.js', folder: '/clone', npm: { ...own, command: 'start' } },
      'npm run -s pdpp --',
    ],
    ['node in a clone', { script: '/clone/dist/src/cli.js', folder: '/clone' }, 'node dist/src/cli.js'],
    [
      'node from elsewhere',
      { script: '/clone/dist/src/cli.js', folder: '/tmp' },
      'node /clone/dist/src/cli.js',
    ],
    [
      'a script of another package',
      { script: '/clone/dist/src/cli.js', folder: '/x', npm: { command: 'run', package: 'mine' } },
      'node /clone/dist/src/cli.js',
    ],
    [
      'a path with a space',
      { script: '/my clone/dist/src/cli.js', folder: '/' },
      "node 'my clone/dist/src/cli.js'",
    ],
    ['tsx', { script: '/clone/src/cli.ts', folder: '/clone' }, 'npx tsx src/cli.ts'],
    ['as part of something else', { script: '/x/vitest.mjs', folder: '/x' }, 'pdpp'],
  ])('by %s', (_, start, name) => {
    expect(nameCommand({ path, ...start })).toBe(name);
  });

  it('is written into every text that names a command, and into no other', () => {
    const say = (text: string) => sayCommand(text, 'npx pdpp');
    expect(say('Run pdpp doctor, then pdpp owner reset.')).toBe(
      'Run npx pdpp doctor, then npx pdpp owner reset.',
    );
    const others =
      'Another pdpp serves it. claude mcp add pdpp http://x; choose pdpp and reconnect; pdpp 0.1.0';
    expect(say(others)).toBe(others);
    expect(sayCommand('pdpp demo', 'x $& y')).toBe('x $& y demo');
  });

  it('names the data folder where a command looks after one, and only there', () => {
    const say = (text: string) => sayCommand(text, 'npx pdpp', '/my data');
    expect(say('Run pdpp doctor, then pdpp owner reset.')).toBe(
      "Run npx pdpp doctor --data '/my data', then npx pdpp owner reset --data '/my data'.",
    );
    expect(say('pdpp grant revoke --all; pdpp import list; pdpp import FILE; pdpp serve --port 1')).toBe(
      "npx pdpp grant revoke --data '/my data' --all; npx pdpp import list --data '/my data'; npx pdpp import --data '/my data' FILE; npx pdpp serve --data '/my data' --port 1",
    );
    const asking = 'pdpp query STREAM, pdpp schema, pdpp connect URL, pdpp help';
    expect(say(asking)).toBe(asking.replaceAll('pdpp', 'npx pdpp'));
  });

  it('goes with the words of every command', () => {
    expect(new Set(commandWords)).toEqual(new Set(commands.map(({ words }) => words.split(' ')[0])));
  });

  it.each([
    ['its name', { script: '/bin/pdpp', folder: '/x' }, ['pdpp']],
    [
      'npx',
      { script: '/c/_npx/1/node_modules/.bin/pdpp', folder: '/x', npm: { command: 'exec', package: '' } },
      ['npx', 'pdpp'],
    ],
    [
      'npm in a clone',
      { script: '/clone/dist/src/cli.js', folder: '/clone', npm: { command: 'start', package: 'pdpp' } },
      ['node', '/clone/dist/src/cli.js'],
    ],
    ['a link elsewhere', { script: '/opt/pdpp', folder: '/opt' }, ['/opt/pdpp']],
  ])('from any folder, where it was started by %s', (_, start, words) => {
    expect(nameProgram({ path: ['/bin'], ...start })).toEqual(words);
  });

  it('is what an app starts that can only start a program, where it runs beside the server', () => {
    const words = ['node', '/clone/dist/src/cli.js'];
    const stdioOf = (origin: string) =>
      createGuide(origin, 'npm run -s pdpp --', undefined, words).clients.at(-1)?.steps[2];
    const [here, elsewhere] = [stdioOf('http://127.0.0.1:7733'), stdioOf('https://a.example')];
    expect(here?.text).toContain('`npm run -s pdpp -- connect http://127.0.0.1:7733`');
    expect(JSON.parse(here?.copy ?? '').mcpServers.pdpp).toEqual({
      command: 'node',
      args: ['/clone/dist/src/cli.js', 'mcp', 'http://127.0.0.1:7733'],
    });
    expect(JSON.parse(elsewhere?.copy ?? '').mcpServers.pdpp.command).toBe('pdpp');
  });

  it('is on the page that connects apps', () => {
    expect(createGuide('https://a.example', 'npx pdpp').cli.copy).toBe('npx pdpp connect https://a.example');
    const { recipes } = createGuide('http://127.0.0.1:7733', 'npx pdpp', '/data');
    const copied = recipes.flatMap(({ steps }) => steps.flatMap(({ copy }) => copy ?? []));
    expect(
      copied.filter((line) => line.startsWith('npx pdpp serve --data /data --public-url https://')),
    ).toHaveLength(3);
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
