import { existsSync, writeFileSync } from 'node:fs';
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
import type { Store } from '../../store/store.ts';
import { describeImport } from '../print/import-text.ts';
import { formatCount, print } from '../print/print.ts';
import { createImportProgress } from '../print/progress.ts';
import { type Call, getText, UsageError } from '../run/call.ts';
import { readJsonFile } from '../run/read-json-file.ts';
import { loadImporter } from './load-importer.ts';

/** Imports every export at the paths and prints a report of each. */
export async function importExports(call: Call, store: Store): Promise<void> {
  const opened = await openInputs(call.positionals);
  try {
    await importAll(call, store, opened);
  } finally {
    opened.close();
  }
}

async function importAll(call: Call, store: Store, opened: Opened): Promise<void> {
  if (call.values['keep-files'] === true && store.shared !== undefined)
    throw new UsageError('--keep-files needs a data folder, but the data is in PostgreSQL.');
  const file = getText(call, 'importer');
  const known = file === undefined ? importers : [await loadImporter(file)];
  const { found, leftovers } = await recogniseOpened(known, opened, getText(call, 'as'));
  if (found.length === 0) throw nothingFound(opened, call);
  const single = ['connection', 'name', 'declare'].filter((name) => call.values[name] !== undefined);
  if (found.length > 1 && single.length > 0)
    throw new UsageError(`--${single[0]} works for one export, but ${found.length} were found.`);
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
      ...(call.values['keep-files'] === true ? { keepFiles: true } : {}),
    });
    progress.end();
    return result;
  };
  const results = (
    await importEach(found, importOne, ({ path, reason }) => opened.refuse(path, reason))
  ).filter((result) => result !== undefined);
  stop.end();
  if (results.length === 0 && !stop.signal.aborted) throw nothingFound(opened, call);
  await report(
    call,
    opened,
    results,
    leftovers.map(({ path }) => path),
  );
}

async function report(
  call: Call,
  opened: Opened,
  results: readonly ImportResult[],
  leftovers: readonly string[],
): Promise<void> {
  const skipped = opened.skippedFolders;
  const text = [
    ...(await Promise.all(results.map(describeImport))),
    ...opened.problems.slice(0, 10).map(({ path, reason }) => `${path} ${reason}`),
    ...(leftovers.length === 0 ? [] : [`Not recognised: ${nameSome(leftovers, 'files')}`]),
    ...(skipped.length === 0 ? [] : [`Skipped program folders: ${nameSome(skipped, 'folders')}`]),
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
  const problems =
    opened.problems.length + results.reduce((sum, { report }) => sum + report.problems_total, 0);
  // Tells scripts that something could not be read.
  if (problems > 0) process.exitCode = 6;
}

function nameSome(paths: readonly string[], unit: string): string {
  const more = paths.length > 5 ? ` and ${formatCount(paths.length - 5)} more ${unit}` : '';
  return `${paths.slice(0, 5).join(', ')}${more}`;
}

function nothingFound({ files, problems }: Opened, call: Call): AppError {
  const reasons = problems.slice(0, 10).map(({ path, reason }) => `${path} ${reason}`);
  const explained = new Set(problems.map(({ path }) => path));
  const others = files.map(({ path }) => path).filter((path) => !explained.has(path));
  // Naming a format helps if a file is intact and no format was named yet.
  const isNamed = (getText(call, 'as') ?? getText(call, 'importer')) !== undefined;
  const canName = !isNamed && others.length > 0;
  const message = isNamed
    ? 'Nothing readable was found as that format.'
    : 'No known export format was found.';
  return new AppError('invalid_argument', message, {
    ...(others.length === 0 ? {} : { files: others.slice(0, 10) }),
    ...(reasons.length === 0 ? {} : { problems: reasons }),
    ...(canName ? { hint: 'If you know the format, add --as FORMAT.' } : {}),
  });
}

async function readOptions(call: Call, store: Store): Promise<ImportOptions> {
  const timeZone = getText(call, 'time-zone') ?? (await loadCatalog(store.read)).timeZone;
  if (call.values['day-first']) return { timeZone, dayFirst: true };
  return call.values['month-first'] ? { timeZone, dayFirst: false } : { timeZone };
}

/** Reads the declaration from the file of --declare, or writes the detected one if the file does not exist. */
async function readDeclaration(
  call: Call,
  found: FoundExport,
  options: ImportOptions,
): Promise<SourceDeclaration | undefined | 'written'> {
  const file = getText(call, 'declare');
  if (file === undefined) return undefined;
  if (existsSync(file)) return checkDeclaration(readJsonFile(file));
  const declaration = await found.importer.declare(found.recognised, options);
  writeFileSync(file, `${JSON.stringify(declaration, undefined, 2)}\n`, { flag: 'wx' });
  print(
    call,
    declaration,
    `Wrote the detected fields to ${file}. Edit it, then run the same command again to import with it.`,
  );
  return 'written';
}

/** Stops after the current batch on the first Ctrl-C. The second one ends the process. */
function stopOnSignal(): { signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const stop = () => {
    console.error('\nStopping after this batch. Run the same command again to continue.');
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
