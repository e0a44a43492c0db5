import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { environment, install, pack } from '../support/processes/pack.ts';
import { makeFolder } from '../support/temp-folder.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(join(ROOT, 'docs/writing-an-importer.md'), 'utf8');
const example = /```js\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
const CSV = 'Steps of Anna\nmade by the app\n\nDay;Steps;Note\n03.04.2024;5000;rain\n;7;\n04.04.2024;6000;\n';

let installed: string;
let program: string;
beforeAll(() => {
  installed = mkdtempSync(join(tmpdir(), 'pdpp-test-'));
  const packed = join(installed, 'packed');
  mkdirSync(packed);
  program = install(pack(packed), installed);
}, 180_000);
afterAll(() => rmSync(installed, { recursive: true, force: true }));

/** Writes an importer and an export into a folder without pdpp, and imports the export. */
function importWith(importer: string) {
  const folder = makeFolder();
  writeFileSync(join(folder, 'my.js'), importer);
  writeFileSync(join(folder, 'steps.csv'), CSV);
  const words = ['import', '--importer', './my.js', 'steps.csv', '--data', 'data', '--json'];
  return () => {
    const { status, stdout, stderr } = spawnSync(program, words, {
      cwd: folder,
      env: environment,
      encoding: 'utf8',
    });
    return { status, err: stderr, out: stdout === '' ? undefined : JSON.parse(stdout) };
  };
}

/** Checks JavaScript against the types of the package, as an editor does. */
function checkTypes(importer: string): string {
  const folder = makeFolder();
  writeFileSync(join(folder, 'my.mjs'), importer);
  symlinkSync(join(installed, 'node_modules'), join(folder, 'node_modules'));
  const compilerOptions = {
    ...{ allowJs: true, checkJs: true, noEmit: true, strict: true, exactOptionalPropertyTypes: true },
    ...{ module: 'nodenext', target: 'es2023', types: [] },
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['my.mjs'] }));
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  return spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' }).stdout;
}

describe('the example of docs/writing-an-importer.md', () => {
  it('is short', () => {
    expect(example.split('\n').length).toBeLessThan(51);
  });

  it('imports a file from any folder, and changes nothing the second time', () => {
    const run = importWith(example);
    const first = run();
    // One row has no day, so the exit code is 6.
    expect(first.status).toBe(6);
    expect(first.out.imports).toMatchObject([
      {
        state: 'done',
        report: {
          format: 'steps',
          account: 'Anna',
          self: ['Anna'],
          streams: { days: { new: 2, changed: 0, same: 0, skipped: 0 } },
          problems: [{ path: 'steps.csv', place: 'line 6', reason: 'has no day' }],
        },
      },
    ]);
    expect(run().out.imports[0].report.streams).toEqual({
      days: { new: 0, changed: 0, same: 2, skipped: 0 },
    });
  }, 60_000);

  it('runs from the sources of a clone without a build, as .js and .mjs', () => {
    const folder = makeFolder();
    writeFileSync(join(folder, 'steps.csv'), CSV);
    const tsx = [join(ROOT, 'node_modules/tsx/dist/cli.mjs'), '--tsconfig', join(ROOT, 'tsconfig.json')];
    for (const name of ['my.js', 'my.mjs']) {
      writeFileSync(join(folder, name), example);
      const words = ['import', '--importer', `./${name}`, 'steps.csv', '--data', `data-of-${name}`, '--json'];
      const { stdout, stderr } = spawnSync(process.execPath, [...tsx, join(ROOT, 'src/cli.ts'), ...words], {
        cwd: folder,
        env: environment,
        encoding: 'utf8',
      });
      expect(stderr).toBe('');
      expect(JSON.parse(stdout).imports[0].report.streams.days.new).toBe(2);
    }
  }, 60_000);

  it('matches the types of the package, which find a mistake', () => {
    expect(checkTypes(example)).toBe('');
    expect(checkTypes(example.replace("kind: 'self'", "kind: 'me'"))).toContain('"me"');
  }, 60_000);
});

describe('an importer of your own', () => {
  it('is refused with a reason if it cannot be loaded or is no importer', () => {
    expect(importWith('throw new Error("no luck");')().err).toMatch(
      /Could not load the importer[\s\S]*no luck/,
    );
    const none = importWith('export const importer = {};')();
    expect([none.status, none.err]).toEqual([2, expect.stringContaining('does not export an importer')]);
  }, 60_000);

  it('keeps its records when it throws, and its stack is printed', () => {
    const torn = example.replace(
      "yield { kind: 'record'",
      "if (row.line > 6) throw new Error('torn\\u001b[2J'); yield { kind: 'record'",
    );
    const { err, out } = importWith(torn)();
    expect(err).toMatch(/Error: torn\[2J\n\s+at .*my\.js/);
    expect(out.imports[0].report).toMatchObject({ streams: { days: { new: 1 } }, problems_total: 2 });
  }, 60_000);

  it('loads less than 250 KB and no packages', () => {
    const { packages, bytes } = followImports(join(installed, 'node_modules/pdpp/dist/src/importer-api.js'));
    expect(packages).toEqual([]);
    expect(bytes).toBeLessThan(250_000);
  });
});

/** Lists the packages that a built file loads, and counts the bytes of our files. */
function followImports(entry: string): { packages: string[]; bytes: number } {
  const packages = new Set<string>();
  const files = new Map<string, string>();
  const follow = (file: string) => {
    if (files.has(file)) return;
    const code = readFileSync(file, 'utf8');
    files.set(file, code);
    for (const [, name = ''] of code.matchAll(/^(?:import|export)\b[^'"]*["']([^'"]+)["'];?$/gm)) {
      if (name.startsWith('.')) follow(join(dirname(file), name));
      else if (!isBuiltin(name)) packages.add(name);
    }
  };
  follow(entry);
  return { packages: [...packages], bytes: [...files.values()].join('').length };
}
