import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { describeSources } from './describe-sources.mjs';

/**
 * Makes the program out of the sources, in few files: each one that a command loads is looked for, read and compiled when it
 * starts, which takes longer than what most commands do. docs/decisions/program-gathered.md says what that gives.
 */

/** Packages of hundreds of files of which little is used. All others are loaded from where npm puts them. */
const GATHERED = [
  ...['ajv', 'kysely', 'lossless-json', 'string-width', 'zod'],
  ...['@modelcontextprotocol/client', '@modelcontextprotocol/server'],
];

/** Commands that nobody should wait for. Those that need the same are one piece with it. */
const ON_THE_STORE = ['grant', 'owner', 'doctor', 'connection', 'import-list'];
const WITH_RECORDS = ['import-undo', 'ingest', 'source-add'];
const AS_A_CLIENT = ['connect', 'disconnect', 'schema', 'query', 'aggregate', 'search', 'fetch'];

const commands = (names) => names.map((name) => `cli/${name}`);

/** A piece is these files and all that they import, but for what is in a piece above it. */
const files = (...names) => new RegExp(`/src/(?:${names.join('|')})\\.ts$`);
const pieces = [
  { name: 'start', test: files('cli/run/main') },
  { name: 'settings', test: files('config') },
  { name: 'shared', test: files('cli/print/(?!show-)\\S+', 'cli/run/with-store') },
  { name: 'store', test: files(...commands(ON_THE_STORE), 'cli/run/open-configured') },
  { name: 'records', test: files(...commands(WITH_RECORDS)) },
  { name: 'client', test: files(...commands(AS_A_CLIENT)) },
];

/** Where a source would lie if it were compiled alone: by that it finds what lies beside it. All pieces are one folder deep. */
const keepPlaces = {
  name: 'keep-places',
  transform: {
    filter: { code: 'import.meta.url' },
    handler: (code, id) => {
      const place = `../${relative('.', id).replaceAll('\\', '/').replace(/tsx?$/, 'js')}`;
      return code.replaceAll('import.meta.url', `new URL('${place}', import.meta.url).href`);
    },
  },
};

// Takes the folder of the build.
const [to = 'dist'] = process.argv.slice(2);
// Before they are read: one that changes meanwhile is newer than the build.
const sources = describeSources('.');
const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const apart = Object.keys(dependencies).filter((name) => !GATHERED.includes(name));

async function gather(names, groups) {
  const program = await rolldown({
    input: Object.fromEntries(names.map((name) => [name, `${name}.ts`])),
    platform: 'node',
    tsconfig: 'tsconfig.json',
    external: (wanted) => apart.some((name) => wanted === name || wanted.startsWith(`${name}/`)),
    plugins: [keepPlaces],
    checks: { ineffectiveDynamicImport: false },
  });
  // Nothing is shortened: what is thrown can be read, and looked up in the file that it names.
  await program.write({
    dir: to,
    entryFileNames: '[name].js',
    chunkFileNames: 'parts/[name].js',
    comments: { legal: true, annotation: false, jsdoc: false },
    codeSplitting: { groups },
  });
}

await gather(
  ['src/cli', 'src/store/sqlite/check/check-pages-child'],
  pieces.map((piece, index) => ({ ...piece, priority: pieces.length - index })),
);
// By itself, so that an importer loads no piece of the program.
await gather(['src/importer-api'], []);
// By this `npm run pdpp` knows whether the build is one of the sources as they are.
writeFileSync(join(to, 'built-from'), sources);
