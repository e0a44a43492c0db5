import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { listExternal } from './bundled-packages.mjs';
import { describeSources } from './describe-sources.mjs';

/**
 * Bundles the sources into few files, because finding and compiling many files takes longer than most commands run.
 * Measurements: docs/decisions/bundled-program.md.
 */

/** Commands that must start quickly. Commands with the same dependencies share a chunk. */
const STORE_COMMANDS = ['grant', 'owner', 'doctor', 'connection', 'import-list'];
const RECORD_COMMANDS = ['import-undo', 'ingest', 'source-add'];
const CLIENT_COMMANDS = ['connect', 'disconnect', 'schema', 'query', 'aggregate', 'search', 'fetch'];

const commands = (names) => names.map((name) => `cli/${name}`);

/** A chunk contains these files and their imports, except those of an earlier chunk. */
const files = (...names) => new RegExp(`/src/(?:${names.join('|')})\\.ts$`);
const chunks = [
  { name: 'start', test: files('cli/run/main') },
  { name: 'settings', test: files('config', 'text/json') },
  { name: 'shared', test: files('cli/print/(?:print|progress|table|terminal-hint)', 'cli/run/with-store') },
  { name: 'store', test: files(...commands(STORE_COMMANDS), 'cli/run/open-configured') },
  { name: 'records', test: files(...commands(RECORD_COMMANDS)) },
  { name: 'client', test: files(...commands(CLIENT_COMMANDS)) },
];

/** Replaces `import.meta.url` by the address that the source would have unbundled, so that it finds its assets. Chunks are one folder deep. */
const keepSourceUrls = {
  name: 'keep-source-urls',
  transform: {
    filter: { code: 'import.meta.url' },
    handler: (code, id) => {
      const path = `../${relative('.', id).replaceAll('\\', '/').replace(/tsx?$/, 'js')}`;
      return code.replaceAll('import.meta.url', `new URL('${path}', import.meta.url).href`);
    },
  },
};

// The first argument is the output folder.
const [to = 'dist'] = process.argv.slice(2);
// Hashed before they are read, so that a later change makes the build outdated.
const sources = describeSources('.');
const external = listExternal(JSON.parse(readFileSync('package.json', 'utf8')));

async function bundle(names, groups) {
  const program = await rolldown({
    input: Object.fromEntries(names.map((name) => [name, `${name}.ts`])),
    platform: 'node',
    tsconfig: 'tsconfig.json',
    external: (wanted) => external.some((name) => wanted === name || wanted.startsWith(`${name}/`)),
    plugins: [keepSourceUrls],
    checks: { ineffectiveDynamicImport: false },
  });
  // Not minified, so that stack traces are readable.
  await program.write({
    dir: to,
    entryFileNames: '[name].js',
    chunkFileNames: 'parts/[name].js',
    comments: { legal: true, annotation: false, jsdoc: false },
    codeSplitting: { groups },
  });
}

await bundle(
  [
    'src/cli',
    'src/store/sqlite/backup/backup-child',
    'src/store/sqlite/check/check-pages-child',
    'src/workers/read-worker',
    'src/workers/import-worker',
    'src/attachments/text-worker',
  ],
  chunks.map((chunk, index) => ({ ...chunk, priority: chunks.length - index })),
);
// Bundled separately, so that an importer does not load the program.
await bundle(['src/importer-api'], []);
// `npm run pdpp` compares this hash to see whether the build is up to date.
writeFileSync(join(to, 'built-from'), sources);
