import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { countRooms } from '../../scripts/count-rooms.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const WALK = /^(.+): (\d+) files, (\d+) rooms, (\d+) changes of room\n((?: {2}.+\n)+)/gm;

/** The files that a walk in the page names, as paths. */
function listPaths(lines: string): string[] {
  return lines
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      const [room = '', files = ''] = line.trim().split(/ {2,}/);
      const folder = room === 'dashboard' ? room : `src/${room}`;
      return files.split(', ').map((file) => `${folder}/${file}.ts`);
    });
}

const page = readFileSync(join(ROOT, 'docs/design.md'), 'utf8');
const walks = [...page.matchAll(WALK)].map(([, name = '', files, rooms, changes, lines = '']) => ({
  name,
  counts: { files: Number(files), rooms: Number(rooms), changes: Number(changes) },
  paths: listPaths(lines),
}));

describe('the walks in docs/design.md', () => {
  it('are those of a call, a consent and a page', () => {
    expect(walks.map(({ name }) => name)).toEqual([
      expect.stringContaining('POST /mcp'),
      expect.stringContaining('/oauth/consent'),
      expect.stringContaining('/dashboard/data'),
    ]);
  });

  it.each(walks)('$name goes through files that are there, and is counted rightly', ({ paths, counts }) => {
    const missing = paths.filter(
      (path) => !existsSync(join(ROOT, path)) && !existsSync(join(ROOT, `${path}x`)),
    );
    expect(missing).toEqual([]);
    expect(countRooms(paths)).toMatchObject(counts);
  });
});

describe('a walk', () => {
  it('changes the room where the next new file lies in another one; the hall is none', () => {
    const paths = ['src/http/gate.ts', 'src/app.ts', 'src/http/mcp.ts', 'src/oauth/storage/adapter.ts'];
    expect(countRooms([...paths, 'dashboard/pages/home.tsx', 'src/http/rest.ts'])).toEqual({
      files: 5,
      rooms: 3,
      changes: 3,
      lines: [
        'http       gate, mcp',
        'oauth      storage/adapter',
        'dashboard  pages/home',
        'http       rest',
      ],
    });
  });
});
