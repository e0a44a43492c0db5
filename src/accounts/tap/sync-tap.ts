import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SyncItem, SyncPlan } from '../sync-source.ts';
import { runTap, type TapRun } from './run-tap.ts';
import { parseMessage, type SingerMessage } from './singer-messages.ts';
import { addSchema, findOwn, readKey, renameColumns, type TapStream } from './singer-schema.ts';

/** What a checkpoint stores. */
export interface TapState {
  /** The value of the tap's last STATE message. */
  readonly state?: unknown;
  /** The streams that the tap has described, by its own names. */
  readonly streams: Readonly<Record<string, TapStream>>;
  /** The version of each stream that is replaced as a whole. */
  readonly versions: Readonly<Record<string, number>>;
}

export const emptyState: TapState = { streams: {}, versions: {} };

/** Runs a tap once and yields what it writes. Everything before a STATE message is stored together with the state. */
export async function* syncTap(
  run: TapRun,
  before: TapState,
  plan: (streams: TapState['streams']) => SyncPlan,
): AsyncGenerator<SyncItem> {
  const args = [...run.args];
  if (before.state !== undefined) {
    const path = join(run.directory, 'state.json');
    await writeFile(path, JSON.stringify(before.state), { mode: 0o600 });
    args.push('--state', path);
  }
  const reader = new TapReader(before, plan);
  for await (const line of runTap({ ...run, args })) {
    const message = parseMessage(line);
    if (message === undefined) reader.skipped += line.trim() === '' ? 0 : 1;
    else yield* reader.take(message);
  }
  if (run.signal.aborted) return;
  yield* reader.end();
}

class TapReader {
  skipped = 0;
  #state: TapState;
  #records = 0;
  readonly #undeclared = new Set<string>();
  readonly #plan: (streams: TapState['streams']) => SyncPlan;

  constructor(before: TapState, plan: (streams: TapState['streams']) => SyncPlan) {
    this.#state = before;
    this.#plan = plan;
  }

  *take(message: SingerMessage): Iterable<SyncItem> {
    switch (message.type) {
      case 'SCHEMA': {
        const streams = addSchema(this.#state.streams, message);
        if (streams === this.#state.streams) return;
        this.#state = { ...this.#state, streams };
        return yield { kind: 'plan', plan: this.#plan(streams) };
      }
      case 'RECORD':
        return yield* this.#takeRecord(message);
      case 'ACTIVATE_VERSION':
        return yield* this.#replace(message.stream, message.version);
      case 'STATE':
        this.#state = { ...this.#state, state: message.value };
        return yield { kind: 'checkpoint', state: this.#state };
      case 'BATCH':
        return yield {
          kind: 'problem',
          place: 'BATCH',
          reason: 'is a file of records, which is not supported',
        };
    }
  }

  *#takeRecord({ stream: name, record, version }: SingerMessage & { type: 'RECORD' }): Iterable<SyncItem> {
    const stream = findOwn(this.#state.streams, name);
    if (stream === undefined) {
      if (this.#undeclared.has(name)) return;
      this.#undeclared.add(name);
      return yield { kind: 'problem', place: 'a stream', reason: 'has records, but no SCHEMA message' };
    }
    const data = renameColumns(stream, record);
    const key = readKey(stream, data);
    this.#records += 1;
    if (this.#records % 500 === 0) yield { kind: 'progress', done: this.#records, total: undefined };
    if (version === undefined || version === null || key === undefined)
      return yield { kind: 'record', stream: stream.name, data };
    yield* this.#replace(name, version);
    // Tracked, so that rows that the next version lacks are deleted.
    yield { kind: 'put', collection: name, item: key, records: [{ stream: stream.name, data }] };
  }

  /** Begins a new version of a stream: rows that it does not contain are deleted at the end of the run. */
  *#replace(name: string, version: number): Iterable<SyncItem> {
    const known = findOwn(this.#state.versions, name);
    if (known === version) return;
    this.#state = { ...this.#state, versions: { ...this.#state.versions, [name]: version } };
    if (known !== undefined) yield { kind: 'reset', collection: name };
  }

  *end(): Iterable<SyncItem> {
    if (this.skipped > 0) yield { kind: 'note', note: `${this.skipped} lines were not Singer messages.` };
    yield { kind: 'checkpoint', state: this.#state };
  }
}
