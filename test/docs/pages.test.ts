import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const manifest = JSON.parse(read('package.json'));

const inDocs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
  // The texts in strings.md are not ours to link.
  .filter((name) => name.endsWith('.md') && name !== 'strings.md')
  .map((name) => `docs/${name}`);
const pages = [
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'examples/README.md'],
  ...inDocs,
];

describe.each(pages)('%s', (path) => {
  const text = read(path);

  it('has links that lead somewhere', () => {
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
    const missing = links
      .filter((link) => !/^(https?:|#)/.test(link))
      .filter((link) => !existsSync(join(ROOT, dirname(path), link.split('#')[0] ?? '')));
    expect(missing).toEqual([]);
  });

  it('names files that exist', () => {
    const named = [...text.matchAll(/`((?:src|test|scripts|bench|dashboard|openspec)\/[\w./-]+)`/g)];
    const files = named.map(([, file = '']) => file).filter((file) => !/FORMAT|CASE/.test(file));
    const missing = files.filter((file) => !existsSync(join(ROOT, file)));
    expect(missing).toEqual([]);
  });
});

describe('a page of the docs', () => {
  const generated = ['docs/call-paths.md', 'docs/commands.md'];

  it.each(inDocs.filter((path) => !generated.includes(path)))(
    '%s takes at most five minutes to read',
    (path) => {
      const prose = read(path)
        .replaceAll(/^```[\s\S]*?^```/gm, '')
        .replaceAll(/^\|.*$/gm, '');
      expect(prose.split(/\s+/).length).toBeLessThanOrEqual(1_000);
    },
  );
});

describe('docs/development.md', () => {
  it('lists every script of package.json', () => {
    const listed = [...read('docs/development.md').matchAll(/^\| `([\w:-]+)`/gm)].map(([, name]) => name);
    const scripts = Object.keys(manifest.scripts).filter((name) => !/^pre(pack|publishOnly)$/.test(name));
    expect(listed.sort()).toEqual(scripts.sort());
  });
});

describe('CHANGELOG.md', () => {
  const [release = ''] = read('CHANGELOG.md').split('\n## ').slice(1);

  it('begins with the version of package.json, or with what is not released yet', () => {
    expect([manifest.version, 'Unreleased']).toContain(release.split('\n')[0]);
  });

  it('has at most 40 entries of one line each', () => {
    const lines = release.split('\n').slice(1).filter(Boolean);
    expect(lines.filter((line) => !/^(- .+|### \w+)$/.test(line))).toEqual([]);
    expect(lines.filter((line) => line.startsWith('- ')).length).toBeLessThanOrEqual(40);
  });
});
