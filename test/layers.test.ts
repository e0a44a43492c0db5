import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/**
 * The modules (or single files) that each module may import, from the lowest layer to the highest. A request passes
 * http, reads, tools, reader and store in this order. `dashboard` may also import the types of the values it renders.
 */
const mayImport: Record<string, string[]> = {
  'src/text': [],
  'src/time': [],
  'src/words': [],
  'src/limits': [],
  'src/secrets': [],
  'src/network': ['src/limits/proxies.ts'],
  'src/metrics': [],
  'src/store': [
    'src/words',
    'src/text',
    'src/time',
    'src/limits/yield-to-event-loop.ts',
    'src/limits/shared-limits.ts',
    'src/limits/call-context.ts',
  ],
  'src/store/sqlite': ['src/store', 'src/words', 'src/secrets', 'src/text', 'src/schema-index', 'src/limits'],
  'src/store/postgres': [
    'src/store',
    'src/words',
    'src/secrets',
    'src/text',
    'src/schema-index',
    'src/limits',
    'src/metrics/format-metrics.ts',
  ],
  'src/schema-index': ['src/store', 'src/text', 'src/time', 'src/limits/cache.ts'],
  'src/filter': ['src/schema-index', 'src/store', 'src/text', 'src/time'],
  'src/search': ['src/words', 'src/text', 'src/limits/yield-to-event-loop.ts'],
  'src/audit': ['src/store', 'src/text', 'src/log.ts'],
  'src/grants': [
    'src/store',
    'src/secrets',
    'src/schema-index',
    'src/time',
    'src/audit/events.ts',
    'src/audit/known-endings.ts',
  ],
  'src/reader': [
    'src/filter',
    'src/limits/cache.ts',
    'src/store',
    'src/schema-index',
    'src/grants/grant.ts',
    'src/words',
    'src/limits/yield-to-event-loop.ts',
  ],
  'src/reads': [
    'src/filter',
    'src/reader',
    'src/grants',
    'src/schema-index',
    'src/audit',
    'src/limits',
    'src/secrets',
    'src/store',
    'src/text',
    'src/words/spellings.ts',
    'src/log.ts',
  ],
  'src/tools': [
    'src/filter',
    'src/reads/granted-read.ts',
    'src/store',
    'src/schema-index',
    'src/search',
    'src/reader',
    'src/text',
    'src/time',
    'src/words',
  ],
  'src/ingest': [
    'src/store',
    'src/schema-index',
    'src/words',
    'src/text',
    'src/time',
    'src/limits/yield-to-event-loop.ts',
  ],
  // Reads files in threads; the readers of text, HTML and times belong to imports.
  'src/attachments': [
    'src/import/read',
    'src/secrets/content-hash.ts',
    'src/workers/lower-priority.ts',
    'src/workers/start-thread.ts',
    'src/time',
  ],
  'src/import': [
    'src/attachments',
    'src/ingest',
    'src/store',
    'src/schema-index',
    'src/grants/end-connection-everywhere.ts',
    'src/audit',
    'src/secrets/content-hash.ts',
    'src/text',
    'src/time',
    'src/limits/yield-to-event-loop.ts',
  ],
  'src/sources': [
    'src/store/sqlite/scratch.ts',
    'src/store/sqlite/folder/database-module.ts',
    'src/attachments',
    'src/import',
    'src/schema-index',
    'src/text',
    'src/time',
  ],
  'src/accounts': [
    'src/attachments',
    'src/audit',
    'src/import',
    'src/ingest',
    'src/limits',
    'src/log.ts',
    'src/network',
    'src/schema-index',
    'src/secrets',
    'src/sources',
    'src/store',
    'src/text',
    'src/time',
  ],
  'src/demo': ['src/sources', 'src/ingest', 'src/schema-index', 'src/store', 'src/time'],
  'src/store/sqlite/backup': ['src/store', 'src/grants/end-access.ts', 'src/audit', 'src/version.ts'],
  'src/store/sqlite/verify': ['src/store', 'src/schema-index', 'src/ingest', 'src/grants', 'src/words'],
  'src/client': ['src/version.ts'],
  'src/updates': [],
  'src/owner': ['src/store', 'src/secrets'],
  'src/oauth': [
    'src/views/field-label.ts',
    'src/limits/disable-when-idle.ts',
    'src/store',
    'src/secrets',
    'src/schema-index',
    'src/grants',
    'src/time',
    'src/audit/events.ts',
    'src/audit/known-endings.ts',
    'src/network',
    'src/log.ts',
  ],
  'src/guide': ['src/tools', 'src/network/special-address.ts'],
  'src/views': [
    'src/filter',
    'src/limits/cache.ts',
    'src/store',
    'src/schema-index',
    'src/grants',
    'src/reader',
    'src/audit',
    'src/reads',
    'src/tools',
    'src/guide',
    'src/text',
    'src/time',
  ],
  dashboard: [],
  // Runs in the window of a chat.
  chart: [],
};
/** Entry points: these may import anything. */
const entryPoints = ['src/http', 'src/cli', 'src/workers'];
const sharedFiles = ['src/errors.ts', 'src/text/hint.ts', 'src/text/unseen.ts', 'src/time/durations.ts'];
const protocolPackages = /^(hono|@hono\/|@modelcontextprotocol\/|oidc-provider)/;
// The command line is an MCP client and a stdio server; `src/oauth` wraps an authorization server.
const mayUseProtocols = ['dashboard', 'src/client', 'src/oauth'];

interface Import {
  file: string;
  target: string;
  typeOnly: boolean;
  /** Loaded when it is asked for, by `import()`. */
  isLate: boolean;
}

function listImports(folder: string): Import[] {
  const files = readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && /\.tsx?$/.test(entry.name),
  );
  return files.flatMap((entry) => {
    const file = relative(ROOT, join(entry.parentPath, entry.name));
    const text = readFileSync(join(ROOT, file), 'utf8');
    const found = [
      ...text.matchAll(
        /(?:^|\n)\s*(?:import|export)\s(type\s)?(?:[^;'"]*?from\s+)?'([^']+)'|import\(\s*'([^']+)'/g,
      ),
    ];
    return found.map(([, type, from, dynamic]) => {
      const target = (from ?? dynamic) as string;
      return {
        file,
        target: target.startsWith('.') ? relative(ROOT, join(ROOT, dirname(file), target)) : target,
        typeOnly: type !== undefined,
        isLate: dynamic !== undefined,
      };
    });
  });
}

/** The row of the table that a file belongs to: the most specific one. */
const findRow = (file: string) =>
  Object.keys(mayImport)
    .filter((folder) => isUnder(file, [folder]))
    .sort((a, b) => b.length - a.length)[0];
const isUnder = (path: string, places: readonly string[]) =>
  places.some((place) => path === place || path.startsWith(`${place}/`));
const isOurs = (target: string) => /^(src|dashboard|chart|test|bench)\//.test(target);

describe.each(Object.entries(mayImport))('%s', (folder, allowed) => {
  const imports = listImports(folder).filter(({ file }) => findRow(file) === folder);

  it('imports only modules that the table allows', () => {
    const strays = imports
      .filter(({ target }) => isOurs(target))
      .filter(({ target }) => !isUnder(target, [folder, ...allowed, ...sharedFiles]))
      // The dashboard shows what it is given: it may know the types of it.
      .filter(({ typeOnly }) => !(folder === 'dashboard' && typeOnly));
    expect(strays).toEqual([]);
  });

  it('imports no HTTP or protocol package', () => {
    const strays = mayUseProtocols.includes(folder)
      ? []
      : imports.filter(({ target }) => protocolPackages.test(target));
    expect(strays).toEqual([]);
  });
});

describe('the table', () => {
  it('names every folder under src', () => {
    const folders = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    );
    expect(folders.map((entry) => `src/${entry.name}`).sort()).toEqual(
      [...Object.keys(mayImport), ...entryPoints].filter((name) => /^src\/[^/]+$/.test(name)).sort(),
    );
  });

  it('is checked against imports that exist', () => {
    const targets = listImports('src/tools').map(({ target }) => target);
    expect(targets).toEqual(expect.arrayContaining(['zod', 'src/errors.ts', 'src/reader/granted-reader.ts']));
    expect(
      listImports('src')
        .filter(({ file }) => file === 'src/cli/table/commands.ts')
        .map(({ target }) => target),
    ).toContain('src/cli/serve.ts');
  });

  it('lets errors.ts and config.ts import nothing else', () => {
    const imports = listImports('src');
    expect(imports.filter(({ file }) => file === 'src/errors.ts').map(({ target }) => target)).toEqual([
      'src/text/hint.ts',
    ]);
    const readers = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
      .filter(
        (entry) =>
          entry.isFile() && readFileSync(join(entry.parentPath, entry.name), 'utf8').includes('process.env'),
      )
      .map((entry) => entry.name);
    // The environment is read in one place, but for how the program was started, which help must know without the
    // settings, and for the few variables that a tap inherits; everything below takes what it needs as arguments.
    expect(readers.sort()).toEqual(['config.ts', 'how-started.ts', 'run-tap.ts']);
  });
});

/** The text of every source file under a place, by its path. */
function readSources(place: string): [file: string, text: string][] {
  return readdirSync(join(ROOT, place), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]);
}

const listFiles = (place: string, rule: RegExp) =>
  readSources(place)
    .filter(([, text]) => rule.test(text))
    .map(([file]) => file);

/** What is loaded before the first line of a file runs. */
function listLoaded(start: string): Set<string> {
  const imports = [...listImports('src'), ...listImports('dashboard')].filter(
    ({ typeOnly, isLate }) => !typeOnly && !isLate,
  );
  const loaded = new Set([start]);
  for (const one of loaded)
    for (const { file, target } of imports) if (file === one && isOurs(target)) loaded.add(target);
  return loaded;
}

const commands = new Set(
  listImports('src/cli/table').flatMap(({ target, isLate }) => (isLate ? [target] : [])),
);
/** The folders that may be long, and what is in each of them. */
const lists: Record<string, (file: string) => boolean> = {
  // One command each; help is known before any table is.
  'src/cli': (file) => commands.has(file) || file === 'src/cli/help.ts',
  // How each source is read; what helps several of them.
  'test/sources': (file) => /\.test\.ts$|\/(count-records|import-export|make-chat-database)\.ts$/.test(file),
  // One kind of attack each.
  'test/security': (file) => /\.test\.ts$|\/trace-sql\.ts$/.test(file),
};

describe('the source tree', () => {
  it('loads no module at start that only later requests need', () => {
    const loaded = [...listLoaded('src/cli/serve.ts')];
    const late = /^(src\/(sources|demo|ingest|oauth\/provider|http\/mcp\/mcp\.ts)|dashboard\/pages)/;
    expect(loaded.filter((file) => late.test(file))).toEqual([]);
    expect(loaded).toContain('src/reader/granted-reader.ts');
  });

  it('has only these files directly in src', () => {
    const hall = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((entry) => entry.isFile());
    expect(hall.map((entry) => entry.name).sort()).toEqual(
      ['app.ts', 'cli.ts', 'config.ts', 'errors.ts', 'importer-api.ts', 'log.ts', 'version.ts'].sort(),
    );
  });

  it('uses Hono only in app.ts, http and dashboard', () => {
    const strays = listImports('src')
      .filter(({ target }) => /^(hono|@hono\/)/.test(target))
      .filter(({ file }) => !isUnder(file, ['src/app.ts', 'src/http']));
    expect(strays).toEqual([]);
  });

  it('writes nothing in views and audit', () => {
    const writing =
      /\b(insertInto|updateTable|deleteFrom|transact|transactSync)\b|\b(insert into|delete from|update \w+ set)\b/i;
    for (const folder of ['src/views', 'src/audit']) expect(listFiles(folder, writing)).toEqual([]);
    expect(listFiles('src/store/sqlite', writing)).not.toEqual([]);
  });

  it('uses SQLite and Kysely only below src/store/sqlite', () => {
    const strays = listImports('src')
      .filter(({ target }) => /^(kysely|better-sqlite3)$/.test(target))
      .filter(({ file }) => !isUnder(file, ['src/store/sqlite', 'src/sources']));
    expect(strays).toEqual([]);
    // Commands and threads open stores; commands maintain their files. An import has a scratch database of its own, opens files that are databases, and locks kept files.
    const threads = ['src/workers/read-worker.ts', 'src/workers/import-worker.ts'];
    const users = listImports('src')
      .filter(({ target }) => isUnder(target, ['src/store/sqlite']))
      .filter(({ file }) => !isUnder(file, ['src/store/sqlite', 'src/cli', ...threads]))
      .filter(
        ({ target }) =>
          !/^src\/store\/sqlite\/(scratch|folder\/(database-module|file-lock))\.ts$/.test(target),
      );
    expect(users.map(({ file, target }) => `${file} ${target}`)).toEqual([]);
    expect(listImports('src/store/sqlite').map(({ target }) => target)).toContain('kysely');
  });

  it('uses PostgreSQL only below src/store/postgres', () => {
    const users = listImports('src')
      .filter(({ target }) => target === 'pg' || isUnder(target, ['src/store/postgres']))
      .filter(({ file }) => !isUnder(file, ['src/store/postgres', 'src/cli']));
    expect(users.map(({ file, target }) => `${file} ${target}`)).toEqual([]);
    expect(listImports('src/store/postgres').map(({ target }) => target)).toContain('pg');
  });

  it('writes full-text queries in one file', () => {
    const grammar = /' (AND|OR) '|\}\} : |" \*|c\$\{\w+\} :/;
    expect(listFiles('src', grammar)).toEqual(['src/store/sqlite/reads/search/match-sql.ts']);
  });

  it('has no folder of more than 25 files except lists of similar files', () => {
    const files = ['src', 'dashboard', 'chart', 'test'].flatMap(readSources).map(([file]) => file);
    const crowded = [...new Set(files.map((file) => dirname(file)))].filter(
      (folder) => files.filter((file) => dirname(file) === folder).length > 25,
    );
    expect(crowded.filter((folder) => lists[folder] === undefined)).toEqual([]);
    // A list is one thing many times: what only helps lies in a folder by what it is.
    const others = files.filter((file) => lists[dirname(file)]?.(file) === false);
    expect(others).toEqual([]);
  });
});
