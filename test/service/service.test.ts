import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { launchd } from '../../src/cli/service/launchd.ts';
import { systemd } from '../../src/cli/service/systemd.ts';
import { taskScheduler } from '../../src/cli/service/task-scheduler.ts';
import { runCli } from '../support/run-cli.ts';
import { makeFolder } from '../support/temp-folder.ts';

const definition = {
  words: ['/usr/bin/node', '/opt/my apps/pdpp', 'serve', '--data=/home/a/100%/$HOME "x"\\y', '--port=8080'],
  home: '/home/a',
  logFile: '/home/a/Library/Logs/pdpp.log',
};

describe('the definition of the service', () => {
  it.each([
    ['systemd', systemd, 'pdpp.service', definition],
    ['launchd', launchd, 'pdpp.plist', definition],
    [
      'the Task Scheduler',
      taskScheduler,
      'pdpp.xml',
      {
        words: [
          'C:\\Program Files\\nodejs\\node.exe',
          'C:\\npm\\pdpp\\dist\\src\\cli.js',
          'serve',
          '--data=C:\\a & b',
        ],
        home: 'C:\\Users\\a',
        logFile: 'C:\\Users\\a\\AppData\\Local\\pdpp\\server.log',
      },
    ],
  ])('for %s is this', async (_, platform, name, given) => {
    await expect(platform.format(given)).toMatchFileSnapshot(`definitions/${name}`);
  });

  it('for the Task Scheduler refuses what cmd would replace', () => {
    for (const word of ['100%', 'a"b', 'a\nb'])
      expect(() => taskScheduler.format({ ...definition, words: [word] })).toThrow('cannot contain % or "');
  });
});

const hasAnalyze = spawnSync('systemd-analyze', ['--version']).status === 0;

describe.skipIf(!hasAnalyze)('the unit', () => {
  function verify(words: readonly string[]) {
    const file = join(makeFolder(), 'pdpp.service');
    writeFileSync(file, systemd.format({ ...definition, words }));
    const { status, stderr } = spawnSync('systemd-analyze', ['--user', 'verify', file], {
      encoding: 'utf8',
      // As it has in the session of a user.
      env: { ...process.env, XDG_RUNTIME_DIR: makeFolder() },
    });
    // About units of this machine.
    return { status, found: stderr.split('\n').filter((line) => line.includes('pdpp')) };
  }

  it('is valid for systemd, also with spaces, quotes and signs that systemd replaces', () => {
    expect(verify(['/bin/true', ...definition.words.slice(1)])).toEqual({ status: 0, found: [] });
    expect(verify(['/no/such/program']).found.join()).toContain('not executable');
  });

  it('gives the program the words unchanged, as systemd reads them', () => {
    const line =
      systemd
        .format(definition)
        .split('\n')
        .find((one) => one.startsWith('ExecStart=')) ?? '';
    const text = line
      .slice('ExecStart='.length)
      .replaceAll('%%', '%')
      .replaceAll('$$', () => '$');
    const words = [...text.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(([, quoted, plain]) =>
      (quoted ?? plain ?? '').replaceAll(/\\(.)/g, '$1'),
    );
    expect(words).toEqual(definition.words);
  });
});

/** No service manager of a user runs where the tests run: these write down how they are called. */
function makeSystem() {
  const folder = makeFolder();
  const [home, bin, log] = [join(folder, 'home'), join(folder, 'bin'), join(folder, 'called')];
  for (const path of [home, bin]) mkdirSync(path);
  writeFileSync(log, '');
  for (const name of ['systemctl', 'journalctl']) {
    writeFileSync(
      join(bin, name),
      `#!/bin/sh\necho "${name} $*" >> '${log}'\necho printed\nexit "$SYSTEM_EXIT"\n`,
    );
    chmodSync(join(bin, name), 0o755);
  }
  const unit = join(home, '.config', 'systemd', 'user', 'pdpp.service');
  return {
    home,
    unit,
    run: (words: readonly string[], environment: Record<string, string> = {}) =>
      runCli(words, {
        folder: home,
        environment: {
          HOME: home,
          PATH: [bin, process.env.PATH].join(delimiter),
          SYSTEM_EXIT: '0',
          ...environment,
        },
      }),
    readUnit: () => readFileSync(unit, 'utf8'),
    called: () => readFileSync(log, 'utf8').trimEnd().split('\n'),
  };
}

describe.skipIf(process.platform !== 'linux')('pdpp service', () => {
  it('keeps the settings of the call and of the environment, with absolute paths', async () => {
    const { run, readUnit, called, unit, home } = makeSystem();
    const settings = [
      '--data',
      'my data',
      '--public-url',
      'https://data.example',
      '--watch',
      'in',
      '--backup-to',
      'b',
    ];
    const { code, out, err } = await run(['service', 'install', ...settings], { PDPP_PORT: '8080' });
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('loginctl enable-linger');
    const [line = ''] = readUnit()
      .split('\n')
      .filter((one) => one.startsWith('ExecStart='));
    expect(line).toMatch(/^ExecStart=\/\S*node \/\S+ serve /);
    for (const word of [
      `"--data=${join(home, 'my data')}"`,
      '--port=8080',
      '--public-url=https://data.example',
      `--backup-to=${join(home, 'b')}`,
      `--watch=${join(home, 'in')}`,
    ])
      expect(line).toContain(` ${word}`);
    expect(statSync(unit).mode & 0o777).toBe(0o600);
    expect(called()).toEqual([
      'systemctl --user daemon-reload',
      'systemctl --user enable pdpp.service',
      'systemctl --user restart pdpp.service',
    ]);
  });

  it('starts a program that works: the words of the unit serve', async () => {
    const { run, readUnit } = makeSystem();
    await run(['service', 'install']);
    const [, node = '', script = ''] = /^ExecStart=(\S+) (\S+) serve$/m.exec(readUnit()) ?? [];
    expect(execFileSync(node, [script, '--version'], { encoding: 'utf8' })).toMatch(/^\d+\.\d+\.\d+/);
  });

  it('reports, prints the log, and removes the service but no data', async () => {
    const { run, called, unit } = makeSystem();
    const missing = await run(['service', 'status']);
    expect([missing.code, missing.err]).toEqual([4, expect.stringContaining('service install')]);
    await run(['service', 'install']);
    expect(await run(['service', 'status'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('The service runs'),
    });
    expect(await run(['service', 'status', '--json'], { SYSTEM_EXIT: '3' })).toMatchObject({
      code: 3,
      out: expect.stringContaining('"runs":false'),
    });
    expect((await run(['service', 'logs', '--lines', '5'])).out).toBe('printed\n');
    expect((await run(['service', 'remove'])).out).toContain('Your data is kept.');
    expect(existsSync(unit)).toBe(false);
    expect(called().slice(-3)).toEqual([
      'journalctl --user --no-pager --lines=5 --user-unit=pdpp.service',
      'systemctl --user disable --now pdpp.service',
      'systemctl --user daemon-reload',
    ]);
  });

  it('says what the system refused', async () => {
    const { run } = makeSystem();
    const { code, err } = await run(['service', 'install'], { SYSTEM_EXIT: '1' });
    expect([code, err]).toEqual([2, expect.stringContaining('systemctl --user daemon-reload')]);
  });

  it('refuses wrong settings, and data in PostgreSQL, before it writes anything', async () => {
    const { run, unit } = makeSystem();
    expect((await run(['service', 'install', '--port', 'x'])).code).toBe(2);
    const postgres = await run(['service', 'install'], { DATABASE_URL: 'postgres://127.0.0.1:1/none' });
    expect([postgres.code, postgres.err]).toEqual([2, expect.stringContaining('DATABASE_URL')]);
    expect(existsSync(unit)).toBe(false);
  });
});
