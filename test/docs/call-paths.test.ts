import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { countModules } from '../../scripts/count-modules.ts';
import { startScript, waitForEnd } from '../support/run-cli.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PATH = /^(.+): (\d+) files, (\d+) modules, (\d+) module crossings\n((?: {2}.+\n)+)/gm;

/** Returns the module visits of a call path in the page, one per line, and the paths of all its files. */
function readLines(text: string): { visits: string[]; paths: string[] } {
  const lines = text.trimEnd().split('\n');
  const paths = lines.flatMap((line) => {
    const [module = '', files = ''] = line.trim().split(/ {2,}/);
    const folder = module === 'dashboard' ? module : module === 'shared' ? 'src' : `src/${module}`;
    return files.split(', ').map((file) => `${folder}/${file}.ts`);
  });
  return { visits: lines.filter((line) => !line.startsWith('  shared ')), paths };
}

const moduleOf = (path: string) => path.split('/')[path.startsWith('src/') ? 1 : 0];
/** Files directly in `src` belong to no module. */
const isInModule = (path: string) => !/^src\/[^/]+$/.test(path);

const page = readFileSync(join(ROOT, 'docs/call-paths.md'), 'utf8');
const callPaths = [...page.matchAll(PATH)].map(([, name = '', files, modules, crossings, lines = '']) => ({
  name,
  counts: { files: Number(files), modules: Number(modules), crossings: Number(crossings) },
  ...readLines(lines),
}));

describe('the call paths in docs/call-paths.md', () => {
  it('are those of a call, a consent and a page', () => {
    expect(callPaths.map(({ name }) => name)).toEqual([
      expect.stringContaining('POST /mcp'),
      expect.stringContaining('/oauth/consent'),
      expect.stringContaining('/dashboard/data'),
    ]);
  });

  it('have at most 10, 16 and 14 module crossings', () => {
    const max = [10, 16, 14];
    expect(callPaths.filter(({ counts }, at) => counts.crossings > (max[at] ?? 0))).toEqual([]);
  });

  it.each(callPaths)(
    '$name enters files that exist, and its counts are right',
    ({ visits, paths, counts }) => {
      const missing = paths.filter(
        (path) => !existsSync(join(ROOT, path)) && !existsSync(join(ROOT, `${path}x`)),
      );
      expect(missing).toEqual([]);
      const modules = new Set(paths.map(moduleOf));
      expect({ files: paths.length, modules: modules.size, crossings: visits.length - 1 }).toEqual(counts);
    },
  );
});

describe('the files of the call paths in docs/call-paths.md', () => {
  let traced: Record<string, string[]>;
  beforeAll(async () => {
    const { out, err } = await waitForEnd(startScript('test/docs/traced-files-child.ts', []));
    expect(err).toBe('');
    traced = JSON.parse(out);
  });

  it.each(callPaths)('are all files that $name enters', ({ name, paths }) => {
    expect(paths.map((path) => path.replace(/\.ts$/, '')).sort()).toEqual(traced[name]?.filter(isInModule));
  });

  it('match the counts in the table, including the whole sign-in', () => {
    const row = /^\| now +\|(.+)\|$/m.exec(page)?.[1] ?? '';
    const listed = row.split('|').map((cell) => cell.split(',').slice(0, 2).map(Number));
    const entered = Object.values(traced).map((files) => files.filter(isInModule));
    expect(listed).toEqual(entered.map((files) => [files.length, new Set(files.map(moduleOf)).size]));
  });
});

describe('a call path', () => {
  it('crosses into a module when a file calls another one; returns, files in src and leaf modules do not count', () => {
    const entries = [
      { file: 'src/http/host-guard.ts', callers: [] },
      { file: 'src/app.ts', callers: ['src/http/host-guard.ts'] },
      { file: 'src/oauth/storage/adapter.ts', callers: ['src/app.ts', 'src/http/host-guard.ts'] },
      { file: 'src/text/unseen.ts', callers: ['src/oauth/storage/adapter.ts', 'src/http/host-guard.ts'] },
      { file: 'src/oauth/resource.ts', callers: ['src/text/unseen.ts', 'src/oauth/storage/adapter.ts'] },
      { file: 'src/http/rest.ts', callers: ['src/http/host-guard.ts'] },
      { file: 'dashboard/pages/home.tsx', callers: ['src/http/rest.ts', 'src/http/host-guard.ts'] },
      { file: 'src/http/read-body.ts', callers: ['dashboard/pages/home.tsx', 'src/http/rest.ts'] },
    ];
    expect(countModules(entries)).toEqual({
      files: 7,
      modules: 4,
      crossings: 3,
      lines: [
        'http  host-guard, rest',
        '  oauth  storage/adapter, resource',
        '  dashboard  pages/home',
        '    http  read-body',
        'shared  text/unseen',
      ],
    });
  });
});
