import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { listImports } from '../../../src/import/import-log.ts';
import { openInputs } from '../../../src/import/open/open-inputs.ts';
import { recogniseInputs } from '../../../src/import/recognise.ts';
import { runImport } from '../../../src/import/run-import.ts';
import { undoImport } from '../../../src/import/undo-import.ts';
import { importers } from '../../../src/sources/importers.ts';
import { verifyStore } from '../../../src/store/sqlite/verify/verify-store.ts';
import { OAuthClient } from '../../support/oauth-client.ts';
import { unpackSecondStore } from '../../support/stores/old-store.ts';
import { createWorld } from '../../support/world.ts';

/** Ten minutes after the server of 0.2.0 was stopped. */
async function openSecond() {
  const { directory, exports, handles } = unpackSecondStore();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(handles.at) + 600_000 });
  const world = await createWorld({ directory, clock: 'real' });
  return { world, directory, exports, handles };
}

const idsOf = (rows: { id: string }[]) => rows.map((row) => row.id);

describe('a store written by pdpp 0.2.0', () => {
  afterEach(() => vi.useRealTimers());

  it('keeps every access as the owner left it', async () => {
    const { world, handles } = await openSecond();
    const { grants, oauth, narrowed, owner_token } = handles;
    for (const token of [grants.command_line.token, grants.windowed.token, oauth.access_token])
      expect((await world.call(token, 'schema')).isError).toBeUndefined();
    expect((await world.rpc(grants.ended.token, 'tools/list')).status).toBe(401);
    const asOwner = await world.request('/v1/schema', {
      headers: { authorization: `Bearer ${owner_token}` },
    });
    expect(asOwner.status).toBe(200);

    // The window and the fields that the command line named.
    const { structuredContent } = await world.call(grants.windowed.token, 'query_records', {
      stream: 'notes',
      limit: 100,
    });
    expect(structuredContent.data.length).toBeGreaterThan(0);
    for (const { record } of structuredContent.data) {
      expect(
        Object.keys(record).filter((name) => !['id', 'created_at', 'title', 'stars'].includes(name)),
      ).toEqual([]);
      expect(record.created_at.startsWith('2026-02-')).toBe(true);
    }

    const client = new OAuthClient(world, narrowed.client_id);
    const refreshed = await client.refresh(narrowed.refresh_token);
    expect(refreshed.status).toBe(200);
    const { access_token } = (await refreshed.json()) as { access_token: string };
    const { data } = (await world.call(access_token, 'schema')).structuredContent;
    const seen = data.connectors.flatMap((one: { connections: { connection_id: string }[] }) =>
      one.connections.map(({ connection_id }) => connection_id),
    );
    expect(seen.sort()).toEqual([...narrowed.sees].sort());

    const cookie = Object.entries(handles.session_cookies).map(
      ([name, value]) => `${name.split(' ')[0]}=${value}`,
    );
    const page = await world.request('/dashboard/apps', { headers: { cookie: cookie.join('; ') } });
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Narrowed app')]);
    world.close();
  });

  it('accepts the cursors of the last hour, and answers with the same numbers', async () => {
    const { world, handles } = await openSecond();
    const { token } = handles.grants.command_line;
    for (const [tool, rows] of [
      ['query_records', 'data'],
      ['search', 'results'],
    ] as const) {
      const { arguments: args, ids, next_cursor } = handles[tool === 'search' ? 'search' : 'query'];
      const first = (await world.call(token, tool, args)).structuredContent;
      expect(idsOf(first[rows])).toEqual(ids);
      const byOld = (await world.call(token, tool, { ...args, cursor: next_cursor })).structuredContent;
      const byNew = (await world.call(token, tool, { ...args, cursor: first.next_cursor })).structuredContent;
      expect(idsOf(byOld[rows])).toEqual(idsOf(byNew[rows]));
      expect(byOld[rows].length).toBeGreaterThan(0);
    }
    const changed = await world.call(token, 'query_records', {
      stream: 'notes',
      connection_id: 'home',
      changes_since: handles.changes_since,
    });
    expect(changed.structuredContent.data).toMatchObject([
      { id: 'home/notes/many-39', removed: true },
      { id: 'home/notes/n1', record: { title: 'Lisbon trip, changed' } },
    ]);
    const stars = await world.call(token, 'aggregate', {
      ...{ stream: 'notes', connection_id: 'home', metric: 'sum', field: 'stars', interval: 'month' },
    });
    // The note that was deleted afterwards had four stars.
    expect(stars.structuredContent.data).toMatchObject({ total: 85, records: 50 });
    expect(handles.aggregate).toMatchObject({ total: 89, records: 51 });
    world.close();
  });

  it('imports the same exports again without a new record, and undoes an import', async () => {
    const { world, directory, exports } = await openSecond();
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
    const old = (await listImports(world.store.read)).filter(
      ({ state, report }) => state === 'done' && report.connection === 'new',
    );
    const [last] = old;
    expect(old).toHaveLength(readdirSync(exports).length);
    const undone = await undoImport(world.store, last?.import_id as number, new Date());
    expect(undone.removed).toBeGreaterThan(0);
    expect((await verifyStore(directory)).filter(({ fine }) => !fine)).toEqual([]);
    world.close();
  });
});
