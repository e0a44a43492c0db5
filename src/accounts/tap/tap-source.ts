import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { declareSource } from '../../sources/declare.ts';
import {
  type AccountCheck,
  type SyncContext,
  SyncError,
  type SyncPlan,
  type SyncRun,
  type SyncSource,
} from '../sync-source.ts';
import { runTap, TAP_TIMES, type TapRun, type TapTimes } from './run-tap.ts';
import { parseMessage, type SchemaMessage } from './singer-messages.ts';
import { addSchema, declareTapStream } from './singer-schema.ts';
import { emptyState, syncTap, type TapState } from './sync-tap.ts';
import { discover, listStreams, selectStreams } from './tap-catalog.ts';
import { parseTapSettings, readTapSettings, type TapSettings, tapFields } from './tap-settings.ts';

/** Commands that write Singer messages: https://github.com/singer-io/getting-started/blob/master/docs/SPEC.md. */
export function createTapSource(times: TapTimes = TAP_TIMES): SyncSource {
  const withTap = async <T>(context: SyncContext, work: (run: TapRun) => Promise<T>): Promise<T> => {
    const directory = await mkdtemp(join(tmpdir(), 'pdpp-tap-'));
    try {
      return await work(prepareRun(context, directory));
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  };
  const prepareRun = ({ settings, signal }: SyncContext, directory: string): TapRun => {
    const { command, config } = readTapSettings(settings);
    const args = config === undefined ? [] : ['--config', config];
    return { command, args, directory, times, signal };
  };
  return {
    kind: 'tap',
    title: 'Singer tap',
    fields: tapFields,
    isAddedOnPages: false,
    parseSettings: (given) => ({ ...parseTapSettings(given) }),
    check: (context) => withTap(context, (run) => checkTap(readTapSettings(context.settings), run)),
    plan: (context) => withTap(context, (run) => planTap(context, run)),
    async *sync(context: SyncRun) {
      const directory = await mkdtemp(join(tmpdir(), 'pdpp-tap-'));
      try {
        const run = prepareRun(context, directory);
        const selected = await selectCatalog(context, run);
        const settings = readTapSettings(context.settings);
        yield* syncTap(selected, readState(context.state), (streams) => describePlan(settings, streams));
      } finally {
        await rm(directory, { recursive: true, force: true });
      }
    },
  };
}

const readState = (state: unknown): TapState => (state as TapState | undefined) ?? emptyState;

function describePlan({ name, command }: TapSettings, streams: TapState['streams']): SyncPlan {
  const title = name.slice(0, 200);
  const declared = Object.values(streams).map((stream) => declareTapStream(stream, title));
  return { format: 'tap', title, declaration: declareSource(makeKey(command[0] as string), title, declared) };
}

/** Two accounts of one tap have the same connector. */
function makeKey(program: string): string {
  const plain = (program.split(/[\\/]/).at(-1) as string)
    .toLowerCase()
    .replace(/\.[a-z]+$/, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 50);
  return plain.startsWith('tap-') ? plain : `tap-${plain || 'command'}`;
}

/** Runs the tap until it proves that it works: its catalog, or its first message. */
async function checkTap({ name, catalog }: TapSettings, run: TapRun): Promise<AccountCheck> {
  const found = catalog === undefined ? await discover(run) : undefined;
  if (found !== undefined) return { account: name, collections: listStreams(found), notes: [] };
  const args = catalog === undefined ? run.args : [...run.args, '--catalog', catalog];
  await readFirstSchema({ ...run, args });
  return { account: name, collections: [], notes: ['The tap chooses the streams itself.'] };
}

/** A tap that has run before has described its streams. A new one is read until its first SCHEMA message. */
async function planTap(context: SyncContext & { readonly state: unknown }, run: TapRun): Promise<SyncPlan> {
  const { streams } = readState(context.state);
  const settings = readTapSettings(context.settings);
  if (Object.keys(streams).length > 0) return describePlan(settings, streams);
  const first = await readFirstSchema(await selectCatalog(context, run));
  return describePlan(settings, addSchema({}, first));
}

async function readFirstSchema(run: TapRun): Promise<SchemaMessage> {
  for await (const line of runTap(run)) {
    const message = parseMessage(line);
    if (message?.type === 'SCHEMA') return message;
  }
  throw new SyncError(
    'protocol',
    'The command wrote no SCHEMA message.',
    'Use a command that writes Singer messages to its standard output.',
  );
}

/** Adds the catalog to the arguments: the owner's, or the tap's own with the chosen streams selected. */
async function selectCatalog({ settings, collections }: SyncContext, run: TapRun): Promise<TapRun> {
  const { catalog } = readTapSettings(settings);
  if (catalog !== undefined) return { ...run, args: [...run.args, '--catalog', catalog] };
  const found = await discover(run);
  if (found === undefined) return run;
  const path = join(run.directory, 'catalog.json');
  await writeFile(path, JSON.stringify(selectStreams(found, collections)), { mode: 0o600 });
  return { ...run, args: [...run.args, '--catalog', path] };
}
