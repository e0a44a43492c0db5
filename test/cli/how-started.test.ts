import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { declare, declareStream, string } from '../support/declare.ts';
import { findBuild } from '../support/processes/build.ts';
import { endProcess } from '../support/processes/end-process.ts';
import { findFreePort, waitForEnd, waitForText } from '../support/run-cli.ts';
import { useFolder } from '../support/temp-folder.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' };

it.each([
  ['npm in a clone', 'npm', ['run', '-s', 'pdpp', '--', 'help', 'demo'], ROOT],
  ['its file', process.execPath, [join('src', 'cli.js'), 'help', 'demo'], findBuild()],
])('started by %s, help shows a command that works in any folder', (_, program, args, cwd) => {
  const out = execFileSync(program, args, { cwd, env, encoding: 'utf8' });
  const [usage = '', , says] = out.split('\n');
  const command = usage.replace(/^Usage: /, '').replace(/ demo \[options\]$/, '');
  expect(out).toContain(`\nExamples\n  ${command} demo\n`);
  const again = execFileSync('sh', ['-c', `${command} help demo`], { cwd: '/', env, encoding: 'utf8' });
  expect(again.split('\n')[2]).toBe(says);
});

/** As in a clone, by its file and on a folder of its own: what is printed must work when it is typed there. */
describe('started by its file, with a named folder', () => {
  const NAME = `node ${join(findBuild(), 'src', 'cli.js')}`;
  const home = useFolder();
  const [data, empty] = [join(home, 'data'), join(home, 'empty')];
  const start = (words: readonly string[]) =>
    spawn(process.execPath, [join('src', 'cli.js'), ...words], {
      cwd: findBuild(),
      env: { ...env, HOME: home, XDG_CONFIG_HOME: home },
    });
  const run = async (words: readonly string[]) => {
    const child = start(words);
    child.stdin.end();
    const { out, err } = await waitForEnd(child);
    return out + err;
  };
  const [source, letters] = [join(home, 'source.json'), join(home, 'notes')];

  beforeAll(async () => {
    mkdirSync(letters);
    writeFileSync(join(letters, 'plan.md'), '# Plan\n\nWater the plants.\n');
    writeFileSync(
      source,
      JSON.stringify(declare('own', [declareStream('notes', { fields: { id: string } })])),
    );
    expect(await run(['demo', '--until', '2026-10-31', '--data', data])).toContain(
      `Connect an app: run ${NAME} serve --data ${data}, then open http`,
    );
  });

  it.each<[line: string, says: string]>([
    [`connection list --data ${empty}`, `demo data: ${NAME} demo --data ${empty}`],
    [`connection list --data=${empty}`, `demo data: ${NAME} demo --data ${empty}`],
    [`owner reset --data ${data}`, `Start it first: ${NAME} serve --data ${data}\n`],
    [`doctor --data ${data}`, `${NAME} verify --data ${data} checks`],
    [
      `grant create --client A --allow spotify_nora --data ${data}`,
      `To revoke it: ${NAME} grant revoke --data ${data} grant_`,
    ],
    [`source add ${source} --data ${data}`, `${NAME} connection add --data ${data} own --id`],
    [`demo --until 2026-10-30 --data ${data}`, `Remove it first: ${NAME} demo --data ${data} --remove`],
    ['grant lst', `Did you mean: ${NAME} grant list?`],
    ['nonsense', `Run ${NAME} help for a list of commands.`],
    ['grant', `${NAME} grant create`],
    ['query notes', `${NAME} connect`],
    [`import ${letters} --data ${data}`, `To undo: ${NAME} import undo --data ${data} 1`],
  ])('%s', async (line, says) => {
    expect(await run(line.split(' '))).toContain(says);
  });

  it('names a relative folder by its absolute path', async () => {
    const child = spawn(process.execPath, [join(findBuild(), 'src', 'cli.js'), 'doctor', '--data', 'data'], {
      cwd: home,
      env: { ...env, HOME: home },
    });
    expect((await waitForEnd(child)).out).toContain(`${NAME} verify --data ${data} checks`);
  });

  it('serve, and a public page that does not name the folder', async () => {
    const port = await findFreePort();
    const server = start(['serve', '--data', empty, '--port', String(port)]);
    onTestFinished(() => endProcess(server));
    const greeting = await waitForText(server, /\nAdd .*\n/);
    expect(greeting).toContain(`or add demo data: ${NAME} demo --data ${empty}\n`);
    // The first address is the one to open.
    expect(/https?:\/\/\S+/.exec(greeting)?.[0]).toMatch(
      new RegExp(`^http://127\\.0\\.0\\.1:${port}/setup/pdpp_`),
    );
    const page = await (await fetch(`http://127.0.0.1:${port}/login`)).text();
    expect(page).toContain(`<code>${NAME} owner reset --data FOLDER</code>`);
    expect(page).not.toContain(home);
  });
});
