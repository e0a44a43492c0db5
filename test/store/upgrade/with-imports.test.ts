import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openInputs } from '../../../src/import/open/open-inputs.ts';
import { recogniseInputs } from '../../../src/import/recognise.ts';
import { removeConnections } from '../../../src/import/remove-connection.ts';
import { runImport } from '../../../src/import/run-import.ts';
import { importers } from '../../../src/sources/importers.ts';
import { verifyStore } from '../../../src/store/sqlite/verify/verify-store.ts';
import { ACCOUNT_ID, accountRow } from '../../support/accounts/account-row.ts';
import { unpackStoreWithImports } from '../../support/stores/old-store.ts';
import { createWorld } from '../../support/world.ts';

async function openOld() {
  const { directory, exports, handles } = unpackStoreWithImports();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(handles.at) + 600_000 });
  const world = await createWorld({ directory, clock: 'real' });
  return { world, directory, exports, handles };
}

describe('a store with imports of the version before 0.2', () => {
  afterEach(() => vi.useRealTimers());

  it('keeps its token, cursors and changes', async () => {
    const { world, directory, handles } = await openOld();
    for (const [tool, { arguments: args, ids, next_cursor }] of [
      ['query_records', handles.query],
      ['search', handles.search],
    ] as const) {
      const first = await world.call(handles.token, tool, args);
      const rows = first.structuredContent.data ?? first.structuredContent.results;
      expect(rows.map((row: { id: string }) => row.id)).toEqual(ids);
      const next = await world.call(handles.token, tool, { ...args, cursor: next_cursor });
      expect(next.isError, JSON.stringify(next.structuredContent)).toBeUndefined();
      const more = next.structuredContent.data ?? next.structuredContent.results;
      for (const row of more) expect(ids).not.toContain(row.id);
    }
    const changes = await world.call(handles.token, 'query_records', {
      stream: 'messages',
      connection_id: 'whatsapp',
      changes_since: handles.changes_since,
    });
    expect(changes.structuredContent).toMatchObject({ data: [] });
    const problems = (await verifyStore(directory)).filter(({ fine }) => !fine);
    expect(problems).toEqual([]);
    world.close();
  });

  it('takes accounts', async () => {
    const { world, directory } = await openOld();
    const [connection] = await world.store.read.catalog.listConnections();
    const id = connection?.connection_id as string;
    expect(await world.store.read.accounts.list()).toEqual([]);
    await world.store.write.accounts.add(accountRow({ connection_id: id }));
    const [stream] = (await world.store.read.catalog.listStreams()).filter((one) => one.connection_id === id);
    const reference = { stream_id: stream?.stream_id as number, key: 'k', collection: 'c', item: 'i' };
    await world.store.write.accounts.addReferences(ACCOUNT_ID, [{ ...reference, was_there: 1 }]);
    expect((await verifyStore(directory)).filter(({ fine }) => !fine)).toEqual([]);
    await removeConnections(world.store, [id], new Date());
    expect(await world.store.read.accounts.list()).toEqual([]);
    expect((await verifyStore(directory)).filter(({ fine }) => !fine)).toEqual([]);
    world.close();
  });

  it('imports the same exports again into the same connections, without a new record', async () => {
    const { world, exports } = await openOld();
    const before = world.store.read.raw.prepare('select connection_id from connections').pluck().all();
    for (const name of readdirSync(exports)) {
      const opened = await openInputs([join(exports, name)]);
      const { found } = await recogniseInputs(importers, opened.files);
      expect(found.length, name).toBeGreaterThan(0);
      for (const one of found) {
        const options = { options: { timeZone: 'Europe/Berlin' }, now: () => new Date() };
        const { report } = await runImport(world.store, one, options);
        const added = Object.values(report.streams).reduce((sum, counts) => sum + counts.new, 0);
        expect([name, report.connection, added]).toEqual([name, 'same', 0]);
      }
      opened.close();
    }
    expect(world.store.read.raw.prepare('select connection_id from connections').pluck().all()).toEqual(
      before,
    );
    world.close();
  });
});
