import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createWorld } from '../../../support/world.ts';
import { createLargeWriter, grantedFields, largeSource } from './large-store.ts';
import type { Measured } from './measure-reads.ts';
import type { Handles } from './read-all.ts';

const run = promisify(execFile);

/** Fills a folder with large records and hands out what an app holds while half of them are edited. */
export async function makeLargeStore(directory: string, count: number, bytes: number): Promise<Handles> {
  const world = await createWorld({ directory });
  await world.addSource(largeSource, { mine: 'Mine', other: 'Other' });
  const put = await createLargeWriter(world, bytes);
  for (let at = 0; at < count; at++) await put(at, '2026-11-01T00:00:00Z');
  const { token } = await world.grant([
    { connection_id: 'mine', stream: 'items', fields: grantedFields },
    { connection_id: 'other', stream: 'items', fields: grantedFields },
  ]);
  const mine = { stream: 'items', connection_id: 'mine' };
  const first = await world.call(token, 'query_records', { ...mine, limit: 2 });
  const changes = await world.call(token, 'query_records', { ...mine, changes_since: 'now' });
  // Every second record, and of those every other in a hidden field only.
  for (let at = 0; at < count; at += 2)
    await put(at, '2026-11-02T00:00:00Z', {
      secret_body: 'edited',
      ...(at % 4 === 0 ? { title: `Item ${at}, edited` } : {}),
    });
  world.store.close();
  return {
    token,
    count,
    cursor: first.structuredContent.next_cursor,
    changesSince: changes.structuredContent.next_changes_since,
  };
}

export interface LargeReads {
  /** Megabytes that the process held before the first read. */
  readonly before: number;
  readonly measured: readonly Measured[];
}

/** Reads the folder in every way, in a process that may have so many megabytes of heap. */
export async function readLargeStore(
  directory: string,
  handles: Handles,
  heapMegabytes: number,
): Promise<LargeReads> {
  const child = new URL('./read-child.ts', import.meta.url).pathname;
  const { stdout } = await run(
    process.execPath,
    [
      `--max-old-space-size=${heapMegabytes}`,
      ...['--import', 'tsx', child, directory, JSON.stringify(handles)],
    ],
    { maxBuffer: 2 ** 24, timeout: 1_800_000 },
  );
  return JSON.parse(stdout) as LargeReads;
}
