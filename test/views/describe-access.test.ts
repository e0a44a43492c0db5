import { describe, expect, it } from 'vitest';
import { endConnection, getGrant } from '../../src/grants/grant-store.ts';
import type { Allowance, Window } from '../../src/grants/resolve-grant.ts';
import { loadCatalog } from '../../src/schema-index/catalog.ts';
import { describeAccess, outlineAccess } from '../../src/views/describe-access.ts';
import { createNotesWorld } from '../support/notes-source.ts';
import { useWorld } from '../support/use-world.ts';

const world = await useWorld(
  createNotesWorld({ connections: ['home', 'work'], timeZone: 'America/New_York' }),
);

async function describeGrant(allow: Allowance[], window?: Window, expires?: Date): Promise<string> {
  const { grantId } = await world.grant(allow, window, expires);
  return describeAccess(await getGrant(world.store.read, grantId), await loadCatalog(world.store.read));
}

const since = Date.parse('2026-01-01T05:00:00Z');

describe('describeAccess', () => {
  it('names connections and streams in one line', async () => {
    expect(await describeGrant([{ connection_id: 'home', stream: 'notes' }])).toBe(
      'Notes of home: notes · until revoked',
    );
    expect(
      await describeGrant([{ connection_id: 'home' }, { connection_id: 'work', stream: 'people' }]),
    ).toBe('Notes of home: notes, comments, people, codes; Notes of work: people · until revoked');
  });

  it("describes hidden fields, the period and the expiry in the owner's time zone", async () => {
    const fields = ['id', 'created_at', 'title'];
    const expires = new Date('2026-12-01T02:00:00Z');
    expect(
      await describeGrant([{ connection_id: 'home', stream: 'notes', fields }], { since }, expires),
    ).toBe('Notes of home: notes · without 10 fields · since 1 Jan 2026 · until 30 Nov 2026');
  });

  it('omits the expiry of ended access', async () => {
    const { grantId } = await world.grant([{ connection_id: 'home', stream: 'notes' }]);
    const [grant, catalog] = [await getGrant(world.store.read, grantId), await loadCatalog(world.store.read)];
    expect(describeAccess(grant, catalog, 'ended')).toBe('Notes of home: notes');
  });

  it('mentions individually selected records', async () => {
    expect(await describeGrant([{ connection_id: 'home', stream: 'codes', keys: ['a'] }])).toBe(
      'Notes of home: codes · selected records only · until revoked',
    );
  });

  it('shows the period with its connection if periods differ', async () => {
    const { grantId } = await world.grant([{ connection_id: 'home', stream: 'notes' }], { until: since });
    const windowed = await getGrant(world.store.read, grantId);
    const other = await getGrant(
      world.store.read,
      (await world.grant([{ connection_id: 'work', stream: 'codes' }])).grantId,
    );
    const both = { ...windowed, streams: [...windowed.streams, ...other.streams] };
    expect(describeAccess(both, await loadCatalog(world.store.read))).toBe(
      'Notes of home: notes (before 1 Jan 2026); Notes of work: codes · until revoked',
    );
  });

  it('omits connections that the owner removed', async () => {
    const { grantId } = await world.grant([{ connection_id: 'home' }, { connection_id: 'work' }]);
    await endConnection(world.store.write, grantId, 'home');
    const catalog = await loadCatalog(world.store.read);
    expect(describeAccess(await getGrant(world.store.read, grantId), catalog)).toBe(
      'Notes of work: notes, comments, people, codes · until revoked',
    );
    await endConnection(world.store.write, grantId, 'work');
    expect(describeAccess(await getGrant(world.store.read, grantId), catalog)).toBe('No access');
  });

  it('marks a stream that is no longer stored', async () => {
    const grant = await getGrant(world.store.read, (await world.grant([{ connection_id: 'home' }])).grantId);
    const [stream] = outlineAccess(grant, {
      version: 0,
      timeZone: 'UTC',
      plainZone: 'UTC',
      connections: [],
      streams: [],
    });
    expect(stream).toMatchObject({ name: 'home', streams_total: 0, streams: [{ there: false }, {}, {}, {}] });
  });
});
