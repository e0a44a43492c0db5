#!/usr/bin/env node
import { type Command, exitCode, parseCall, plain, UsageError } from './cli/command.ts';
import { ClientError } from './client/client-error.ts';
import { AppError } from './errors.ts';
import { findStoreError } from './store/store-error.ts';

/** Commands by their words; each is loaded only when it is called. */
const commands: Record<string, () => Promise<Command>> = {
  serve: async () => (await import('./cli/serve.ts')).serve,
  demo: async () => (await import('./cli/demo.ts')).demo,
  import: async () => (await import('./cli/import.ts')).importCommand,
  'import list': async () => (await import('./cli/import-list.ts')).importList,
  'import undo': async () => (await import('./cli/import-undo.ts')).importUndo,
  watch: async () => (await import('./cli/watch.ts')).watch,
  'source add': async () => (await import('./cli/source-add.ts')).sourceAdd,
  'connection add': async () => (await import('./cli/connection-add.ts')).connectionAdd,
  'connection list': async () => (await import('./cli/connection-list.ts')).connectionList,
  'connection rename': async () => (await import('./cli/connection-rename.ts')).connectionRename,
  'connection remove': async () => (await import('./cli/connection-remove.ts')).connectionRemove,
  ingest: async () => (await import('./cli/ingest.ts')).ingest,
  'grant create': async () => (await import('./cli/grant-create.ts')).grantCreate,
  'grant list': async () => (await import('./cli/grant-list.ts')).grantList,
  'grant revoke': async () => (await import('./cli/grant-revoke.ts')).grantRevoke,
  'owner token': async () => (await import('./cli/owner-token.ts')).ownerToken,
  'owner reset': async () => (await import('./cli/owner-reset.ts')).ownerReset,
  'owner revoke': async () => (await import('./cli/owner-revoke.ts')).ownerRevoke,
  connect: async () => (await import('./cli/connect.ts')).connect,
  disconnect: async () => (await import('./cli/disconnect.ts')).disconnect,
  schema: async () => (await import('./cli/schema.ts')).schema,
  query: async () => (await import('./cli/query.ts')).query,
  aggregate: async () => (await import('./cli/aggregate.ts')).aggregate,
  search: async () => (await import('./cli/search.ts')).search,
  fetch: async () => (await import('./cli/fetch.ts')).fetch,
  mcp: async () => (await import('./cli/mcp.ts')).mcp,
  backup: async () => (await import('./cli/backup.ts')).backup,
  restore: async () => (await import('./cli/restore.ts')).restore,
  doctor: async () => (await import('./cli/doctor.ts')).doctor,
  verify: async () => (await import('./cli/verify.ts')).verify,
};

async function main(argv: readonly string[]): Promise<void> {
  const words = [argv.slice(0, 2).join(' '), argv[0] ?? ''].find((name) => Object.hasOwn(commands, name));
  const load = words === undefined ? undefined : commands[words];
  if (words === undefined || load === undefined) {
    const asked = argv[0] === undefined || argv[0] === 'help' || argv[0] === '--help';
    console[asked ? 'log' : 'error'](await writeHelp());
    process.exitCode = asked ? 0 : 2;
    return;
  }
  const command = await load();
  const rest = argv.slice(words.split(' ').length);
  if (rest.includes('--help')) {
    console.log(`Usage: pdpp ${command.usage}`);
    return;
  }
  try {
    await command.run(parseCall(command, rest));
  } catch (thrown) {
    const error = findStoreError(thrown) ?? thrown;
    report(error, command);
    process.exitCode = exitCode(error);
  }
}

async function writeHelp(): Promise<string> {
  const usages = await Promise.all(Object.values(commands).map(async (load) => (await load()).usage));
  return `pdpp: your own data, for the AI apps you choose\n\n${usages.map((usage) => `  pdpp ${usage}`).join('\n')}\n\n--data DIR is the data folder (default: $PDPP_DATA or ~/.pdpp).`;
}

function report(error: unknown, command: Command): void {
  if (error instanceof UsageError) console.error(`${error.message}\nUsage: pdpp ${command.usage}`);
  else if (error instanceof AppError || error instanceof ClientError) console.error(plain(describe(error)));
  else console.error(error);
}

function describe(error: AppError | ClientError): string {
  const facts = Object.entries(error.details).map(
    ([name, value]) => `  ${name}: ${[value].flat().join('\n    ')}`,
  );
  return [error.message, ...facts, ...(error.hint === undefined ? [] : [error.hint])].join('\n');
}

// A reader that closes early, such as head, is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

await main(process.argv.slice(2));
