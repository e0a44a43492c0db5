import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { build } from 'esbuild';

// Packages of hundreds of small files, each of which is looked for, read and compiled when a command starts. They are
// gathered into a few files beside the build, which loads those instead: docs/decisions/packages-gathered.md.
const GATHERED = [
  'kysely',
  'zod',
  'string-width',
  '@modelcontextprotocol/client',
  '@modelcontextprotocol/server',
  '@modelcontextprotocol/server/stdio',
];

// Takes the folder of the build.
const [to = 'dist'] = process.argv.slice(2);
const folder = join(to, 'packages');
const nameOf = (wanted) => wanted.replace('@', '').replaceAll('/', '-');

rmSync(folder, { recursive: true, force: true });
// In one go, so that what several of them need is one piece that they share.
await build({
  entryPoints: Object.fromEntries(GATHERED.map((wanted) => [nameOf(wanted), wanted])),
  outdir: folder,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // Names stay, so that what is thrown can be read.
  minifyWhitespace: true,
  minifySyntax: true,
  logLevel: 'warning',
});

for (const part of ['src', 'dashboard'])
  for (const name of readdirSync(join(to, part), { recursive: true }).filter((one) => one.endsWith('.js'))) {
    const file = join(to, part, name);
    const text = readFileSync(file, 'utf8');
    const changed = text.replaceAll(/\b(from |import\()'([^'.][^']*)'/g, (found, before, wanted) => {
      if (!GATHERED.includes(wanted)) return found;
      return `${before}'${relative(dirname(file), join(folder, `${nameOf(wanted)}.js`)).replaceAll('\\', '/')}'`;
    });
    if (changed !== text) writeFileSync(file, changed);
  }
