import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { countRooms } from '../../scripts/count-rooms.ts';
import { startScript, waitForEnd } from '../support/run-cli.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const WALK = /^(.+): (\d+) files, (\d+) modules, (\d+) module crossings\n((?: {2}.+\n)+)/gm;

/** The stays that a walk in the page tells, one per line, and the files of all of them, as paths. */
function readLines(text: string): { stays: string[]; paths: string[] } {
  const lines = text.trimEnd().split('\n');
  const paths = lines.flatMap((line) => {
    const [room = '', files = ''] = line.trim().split(/ {2,}/);
    const folder = room === 'dashboard' ? room : room === 'beside' ? 'src' : `src/${room}`;
    return files.split(', ').map((file) => `${folder}/${file}.ts`);
  });
  return { stays: lines.filter((line) => !line.startsWith('  beside ')), paths };
}

const roomOf = (path: string) => path.split('/')[path.startsWith('src/') ? 1 : 0];
/** The hall, through which everything passes, is no room. */
const isInRoom = (path: string) => !/^src\/[^/]+$/.test(path);

const page = readFileSync(join(ROOT, 'docs/call-paths.md'), 'utf8');
const walks = [...page.matchAll(WALK)].map(([, name = '', files, rooms, changes, lines = '']) => ({
  name,
  counts: { files: Number(files), rooms: Number(rooms), changes: Number(changes) },
  ...readLines(lines),
}));

describe('the call paths in docs/call-paths.md', () => {
  it('are those of a call, a consent and a page', () => {
    expect(walks.map(({ name }) => name)).toEqual([
      expect.stringContaining('POST /mcp'),
      expect.stringContaining('/oauth/consent'),
      expect.stringContaining('/dashboard/data'),
    ]);
  });

  it('change the room at most 10, 16 and 14 times', () => {
    const most = [10, 16, 14];
    expect(walks.filter(({ counts }, at) => counts.changes > (most[at] ?? 0))).toEqual([]);
  });

  it.each(walks)(
    '$name goes through files that are there, and is counted rightly',
    ({ stays, paths, counts }) => {
      const missing = paths.filter(
        (path) => !existsSync(join(ROOT, path)) && !existsSync(join(ROOT, `${path}x`)),
      );
      expect(missing).toEqual([]);
      const rooms = new Set(paths.map(roomOf));
      expect({ files: paths.length, rooms: rooms.size, changes: stays.length - 1 }).toEqual(counts);
    },
  );
});

describe('the files of the call paths in docs/call-paths.md', () => {
  let walked: Record<string, string[]>;
  beforeAll(async () => {
    const { out, err } = await waitForEnd(startScript('test/docs/walked-files-child.ts', []));
    expect(err).toBe('');
    walked = JSON.parse(out);
  });

  it.each(walks)('are all that $name enters on this tree', ({ name, paths }) => {
    expect(paths.map((path) => path.replace(/\.ts$/, '')).sort()).toEqual(walked[name]?.filter(isInRoom));
  });

  it('are as many as the table says, also those of all of a consent', () => {
    const row = /^\| now +\|(.+)\|$/m.exec(page)?.[1] ?? '';
    const told = row.split('|').map((cell) => cell.split(',').slice(0, 2).map(Number));
    const entered = Object.values(walked).map((files) => files.filter(isInRoom));
    expect(told).toEqual(entered.map((files) => [files.length, new Set(files.map(roomOf)).size]));
  });
});

describe('a walk', () => {
  it('changes the room where a file goes into another one; coming back, the hall and small rooms do not', () => {
    const walk = [
      { file: 'src/http/host-guard.ts', callers: [] },
      { file: 'src/app.ts', callers: ['src/http/host-guard.ts'] },
      { file: 'src/oauth/storage/adapter.ts', callers: ['src/app.ts', 'src/http/host-guard.ts'] },
      { file: 'src/text/unseen.ts', callers: ['src/oauth/storage/adapter.ts', 'src/http/host-guard.ts'] },
      { file: 'src/oauth/resource.ts', callers: ['src/text/unseen.ts', 'src/oauth/storage/adapter.ts'] },
      { file: 'src/http/rest.ts', callers: ['src/http/host-guard.ts'] },
      { file: 'dashboard/pages/home.tsx', callers: ['src/http/rest.ts', 'src/http/host-guard.ts'] },
      { file: 'src/http/read-body.ts', callers: ['dashboard/pages/home.tsx', 'src/http/rest.ts'] },
    ];
    expect(countRooms(walk)).toEqual({
      files: 7,
      rooms: 4,
      changes: 3,
      lines: [
        'http  host-guard, rest',
        '  oauth  storage/adapter, resource',
        '  dashboard  pages/home',
        '    http  read-body',
        'beside  text/unseen',
      ],
    });
  });
});
