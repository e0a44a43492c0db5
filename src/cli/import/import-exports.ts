import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { AppError } from '../../errors.ts';
import type { ImportOptions } from '../../import/importer.ts';
import { openInputs } from '../../import/open/open-inputs.ts';
import type { Opened } from '../../import/open/opened.ts';
import { type FoundExport, importEach, recogniseOpened } from '../../import/recognise.ts';
import { type ImportResult, runImport } from '../../import/run-import.ts';
import { loadCatalog } from '../../schema-index/catalog.ts';
import { checkDeclaration } from '../../schema-index/check-declaration.ts';
import type { SourceDeclaration } from '../../schema-index/declaration.ts';
import { importers } from '../../sources/importers.ts';
import type { SqliteStore } from '../../store/sqlite/open-store.ts';
import { showCount } from '../print/format.ts';
import { describeImport } from '../print/import-text.ts';
import { print } from '../print/print.ts';
import { createImportProgress } from '../print/progress.ts';
import { type Call, getText, UsageError } from '../run/call.ts';
import { loadImporter } from './load-importer.ts';

/** Opens what is at the paths, brings in every export found there, and says what became of each. */
export async function importExports(call: Call, store: SqliteStore): Promise<void> {
  const opened = await openInputs(call.positionals);
  try {
    await importAll(call, store, opened);
  } finally {
    opened.close();
  }
}

async function importAll(call: Call, store: SqliteStore, opened: Opened): Promise<void> {
  const file = getText(call, 'importer');
  const known = file === undefined ? importers : [await loadImporter(file)];
  const { found, leftovers } = await recogniseOpened(known, opened, getText(call, 'as'));
  if (found.length === 0) throw nothingFound(opened, call);
  const wishes = ['connection', 'name', 'declare'].filter((name) => call.values[name] !== undefined);
  if (found.length > 1 && wishes.length > 0)
    throw new UsageError(`--${wishes[0]} is for one export, and ${found.length} were found`);
  const options = await readOptions(call, store);
  const declaration = await readDeclaration(call, found[0] as FoundExport, options);
  if (declaration === 'written') return;
  const stop = stopOnSignal();
  const [connectionId, name] = [getText(call, 'connection'), getText(call, 'name')];
  const importOne = async (one: FoundExport): Promise<ImportResult | undefined> => {
    if (stop.signal.aborted) return undefined;
    const progress = createImportProgress();
    const result = await runImport(store, one, {
      options,
      openProblems: opened.problems,
      onProgress: progress.update,
      signal: stop.signal,
      now: () => new Date(),
      ...(connectionId === undefined ? {} : { connectionId }),
      ...(name === undefined ? {} : { name }),
      ...(declaration === undefined ? {} : { declaration }),
      ...(call.values['dry-run'] === true ? { dryRun: true } : {}),
    });
    progress.end();
    return result;
  };
  const results = (
    await importEach(found, importOne, ({ path, reason }) => opened.refuse(path, reason))
  ).filter((result) => result !== undefined);
  stop.end();
  if (results.length === 0 && !stop.signal.aborted) throw nothingFound(opened, call);
  await tell(
    call,
    opened,
    results,
    leftovers.map(({ path }) => path),
  );
}

async function tell(
  call: Call,
  opened: Opened,
  results: readonly ImportResult[],
  leftovers: readonly string[],
): Promise<void> {
  const skipped = opened.skippedFolders;
  const text = [
    ...(await Promise.all(results.map(describeImport))),
    ...opened.problems.slice(0, 10).map(({ path, reason }) => `${path} ${reason}`),
    ...(leftovers.length === 0 ? [] : [`Not read: ${nameSome(leftovers, 'files')}`]),
    ...(skipped.length === 0 ? [] : [`Skipped folders of programs: ${nameSome(skipped, 'folders')}`]),
  ];
  const json = {
    imports: results,
    refused: opened.problems.slice(0, 500),
    refused_total: opened.problems.length,
    not_recognised: leftovers.slice(0, 500),
    not_recognised_total: leftovers.length,
    skipped_folders: skipped.slice(0, 500),
    skipped_folders_total: skipped.length,
  };
  print(call, json, text.join('\n'));
  const troubled =
    opened.problems.length + results.reduce((sum, { report }) => sum + report.problems_total, 0);
  // Something could not be read: said by the exit code too, so that a script notices.
  if (troubled > 0) process.exitCode = 6;
}

function nameSome(paths: readonly string[], unit: string): string {
  const more = paths.length > 5 ? ` and ${showCount(paths.length - 5)} more ${unit}` : '';
  return `${paths.slice(0, 5).join(', ')}${more}`;
}

function nothingFound({ files, problems }: Opened, call: Call): AppError {
  const reasons = problems.slice(0, 10).map(({ path, reason }) => `${path} ${reason}`);
  const explained = new Set(problems.map(({ path }) => path));
  const others = files.map(({ path }) => path).filter((path) => !explained.has(path));
  // Naming a format helps where the file is whole and nobody has named one yet.
  const isNamed = (getText(call, 'as') ?? getText(call, 'importer')) !== undefined;
  const canName = !isNamed && others.length > 0;
  const message = `Nothing here ${isNamed ? 'can be read as that format' : 'is an export that can be read'}.`;
  return new AppError('invalid_argument', message, {
    ...(others.length === 0 ? {} : { files: others.slice(0, 10) }),
    ...(reasons.length === 0 ? {} : { problems: reasons }),
    ...(canName ? { hint: 'If you know what it is, say --as FORMAT.' } : {}),
  });
}

async function readOptions(call: Call, store: SqliteStore): Promise<ImportOptions> {
  const timeZone = getText(call, 'time-zone') ?? (await loadCatalog(store.read)).timeZone;
  if (call.values['day-first']) return { timeZone, dayFirst: true };
  return call.values['month-first'] ? { timeZone, dayFirst: false } : { timeZone };
}

/** `--declare FILE` writes what was guessed where there is no such file, and takes what it says where there is one. */
async function readDeclaration(
  call: Call,
  found: FoundExport,
  options: ImportOptions,
): Promise<SourceDeclaration | undefined | 'written'> {
  const file = getText(call, 'declare');
  if (file === undefined) return undefined;
  if (existsSync(file)) return checkDeclaration(parseJson(file));
  const declaration = await found.importer.declare(found.recognised, options);
  writeFileSync(file, `${JSON.stringify(declaration, undefined, 2)}\n`, { flag: 'wx' });
  print(
    call,
    declaration,
    `What was guessed is in ${file}. Edit it, and run the same again to import by it.`,
  );
  return 'written';
}

function parseJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new AppError('invalid_declaration', 'The file is not valid JSON.', { file });
  }
}

/** The first Ctrl-C lets the batch finish; a second ends the process as usual. */
function stopOnSignal(): { signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const stop = () => {
    console.error('\nStopping after this batch. What is in stays in; run the same again to go on.');
    controller.abort();
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  return {
    signal: controller.signal,
    end() {
      process.off('SIGINT', stop);
      process.off('SIGTERM', stop);
    },
  };
}
