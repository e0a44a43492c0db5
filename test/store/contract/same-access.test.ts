import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { AuditStore, StoredRead } from '../../../src/store/audit-store.ts';
import { type AccessStores, createAccessStores } from '../../../src/store/postgres/access-stores.ts';
import { createAuditStore } from '../../../src/store/postgres/audit/audit-store.ts';
import { openDatabases } from '../../../src/store/postgres/database.ts';
import { addOwner } from '../../../src/store/postgres/owners.ts';
import { openStore } from '../../../src/store/sqlite/open-store.ts';
import { checkDrawn, createDraw, type Draw } from '../../support/draw.ts';
import { useSharedDatabase } from '../../support/postgres/databases.ts';
import { makeFolder } from '../../support/temp-folder.ts';

type Stores = Pick<AccessStores, 'read' | 'write'> & { readonly audit: AuditStore };
type Call = (stores: Stores) => Promise<unknown>;

const STEPS = 400;
const names = ['a', 'b', 'c\0d', 'é', '\u{1f600}', "o'x", '"'];
const kinds = ['Code', 'Client', 'Grant', 'Session'];
const eventKinds = ['signed_in', 'approved', 'revoked', 'rate_limited'];

const time = (draw: Draw) => new Date(Date.UTC(2026, 10, 1 + draw.upTo(20), draw.upTo(3))).toISOString();
const maybe = <T>(draw: Draw, value: T) => (draw.chance(40) ? null : value);

function drawRead(draw: Draw): Omit<StoredRead, 'id'> {
  return {
    at: time(draw),
    request_id: draw.pick(names),
    client: draw.pick(names),
    grant_id: maybe(draw, draw.pick(names)),
    surface: draw.pick(['mcp', 'rest', 'owner']),
    tool: draw.pick(['search', 'fetch']),
    connection_id: maybe(draw, draw.pick(['a', 'b', 'a,b', 'aa'])),
    stream: maybe(draw, 'entries'),
    fields: maybe(draw, 'title,body'),
    records: draw.upTo(10),
    tokens_out: draw.upTo(1_000),
    ms: draw.upTo(1_000) / 7,
    outcome: draw.pick(['ok', 'ok', 'not_found']),
    touched: maybe(draw, draw.upTo(5)),
    way: maybe(draw, 'sum'),
  };
}

const writes: Record<string, (draw: Draw) => Call> = {
  addGrant: (draw) => {
    const grant = {
      grant_id: draw.pick(names),
      client_name: draw.pick(names),
      created_at: time(draw),
      expires_at: maybe(draw, time(draw)),
      revoked_at: null,
      body: '{}',
      client_id: maybe(draw, 'client'),
      verified_host: maybe(draw, 'example.org'),
      redirect_host: null,
      ended_connections: null,
    };
    return ({ write }) => write.grants.add(grant);
  },
  addToken: (draw) => {
    const token = {
      tokenHash: draw.pick(names),
      kind: draw.pick(['client', 'owner'] as const),
      grantId: maybe(draw, draw.pick(names)),
      createdAt: time(draw),
      expiresAt: maybe(draw, time(draw)),
    };
    return ({ write }) => write.grants.addToken(token);
  },
  endGrant: (draw) => {
    const [id, at] = [draw.pick(names), time(draw)];
    return ({ write }) => write.grants.end(id, at);
  },
  changeGrant: (draw) => {
    const [id, at, act] = [draw.pick(names), time(draw), draw.upTo(4)];
    return ({ write: { grants } }) =>
      [
        () => grants.setBody(id, `{"at":"${at}"}`),
        () => grants.setEndedConnections(id, act % 2 === 0 ? [] : ['a']),
        () => grants.setExpiry(id, at),
        () => grants.shortenExpiry(id, at),
        () => grants.deleteOwnerTokens(at),
      ][act]?.() ?? Promise.resolve();
  },
  endEverything: (draw) => {
    const [at, isRare] = [time(draw), draw.chance(15)];
    return async ({ write }) =>
      isRare ? [byText(await write.grants.endAll(at)), await write.grants.deleteIssued()] : undefined;
  },
  saveItem: (draw) => {
    const item = {
      kind: draw.pick(kinds),
      idHash: draw.pick(names),
      payload: `{"n":${draw.upTo(9)}}`,
      grantId: draw.chance(50) ? draw.pick(names) : undefined,
      uidHash: draw.chance(30) ? randomUUID() : undefined,
      userCodeHash: draw.chance(30) ? randomUUID() : undefined,
      createdAt: draw.upTo(1_000_000),
      expiresAt: draw.chance(60) ? draw.upTo(100) : undefined,
    };
    return async ({ write }) => {
      await write.oauth.saveItem(item);
      if (item.uidHash === undefined) return;
      return write.oauth.findItem(item.kind, { uidHash: item.uidHash });
    };
  },
  useItem: (draw) => {
    const [kind, id, act] = [draw.pick(kinds), draw.pick(names), draw.upTo(6)];
    return ({ write: { oauth } }) =>
      [
        () => oauth.consumeItem(kind, id, act),
        () => oauth.setConsumedAt(kind, id, 77),
        () => oauth.removeItemExpiry(kind, id),
        () => oauth.deleteItem(kind, id),
        () => oauth.deleteItemsOfGrant(kind, id),
        () => oauth.deleteItemsExpiredBefore(20),
        () => oauth.trimExpiringItems(kind, 1),
      ][act]?.() ?? Promise.resolve();
  },
  saveAccessToken: (draw) => {
    const token = {
      tokenHash: draw.pick(names),
      grantId: draw.chance(50) ? draw.pick(names) : undefined,
      createdAt: new Date(time(draw)),
      expiresAt: new Date(time(draw)),
      resource: draw.chance(50) ? 'http://here/' : undefined,
      payload: '{}',
    };
    const [before, act] = [new Date(time(draw)), draw.upTo(4)];
    return async ({ write: { oauth } }) => {
      if (act < 2) return oauth.saveAccessToken(token);
      if (act === 2) return oauth.deleteAccessToken(token.tokenHash);
      return act === 3
        ? oauth.deleteAccessTokensOfGrant(token.grantId ?? 'a')
        : oauth.deleteAccessTokensExpiredBefore(before);
    };
  },
  session: (draw) => {
    const [hash, at, now, act] = [draw.pick(names), time(draw), time(draw), draw.upTo(6)];
    const session = { hash, createdAt: at, seenAt: at, expiresAt: now, userAgent: maybe(draw, 'browser') };
    return ({ write: { owner } }) =>
      [
        () => owner.addSession(session),
        () => owner.addSession(session),
        () => owner.updateSession({ hash, seenAt: now, expiresAt: at }),
        () => owner.deleteEndedSessions({ now: '2026-11-03', seenAfter: '2026-11-02' }),
        () => owner.deleteSession(hash),
        () => owner.deleteSessionsBefore(at),
        () => owner.savePassphrase(hash, at),
      ][act]?.() ?? Promise.resolve();
  },
  link: (draw) => {
    const [hash, now, latest, act] = [draw.pick(names), time(draw), time(draw), draw.upTo(3)];
    return ({ write: { owner } }) =>
      [
        () => owner.addSetupLink({ hash, createdAt: now, expiresAt: latest, usedAt: null }),
        () => owner.useSetupLink(hash, { now, latest }),
        () => owner.deleteUnusedLinks(),
        () => owner.setSeenEvent(act),
      ][act]?.() ?? Promise.resolve();
  },
  addConnection: (draw) => {
    const [source, id, at] = [draw.pick(['diary', 'notes']), draw.pick(names), time(draw)];
    const stream = draw.pick(['entries', 'people']);
    return ({ write: { transact, catalog } }) =>
      transact(async () => {
        await catalog.putSource(source, `{"at":"${at}"}`, '1', at);
        await catalog.putConnection({
          connection_id: id,
          connector_key: source,
          display_name: at,
          created_at: at,
        });
        const stream_id = await catalog.nextStreamId();
        if ((await catalog.findStream(id, stream)) === undefined)
          await catalog.addStream({ stream_id, connection_id: id, stream, plan: '{}' });
        await catalog.setPlan(stream_id, '{"slots":{}}');
        await catalog.raiseVersion();
        return stream_id;
      });
  },
  changeConnection: (draw) => {
    const [id, at, act] = [draw.pick(names), time(draw), draw.upTo(7)];
    return ({ write: { catalog, transact } }) =>
      [
        () => catalog.renameConnection(id, at),
        () => catalog.setSelf(id, '["me"]'),
        () => catalog.setFirstAccount(id, 'me@here'),
        () => catalog.removeAccount(id, 'me@here'),
        () => catalog.addTimeZone('Europe/Berlin'),
        () => catalog.addKeySecret(`secret of ${id}`),
        () => transact(() => catalog.replaceTimeZone('Europe/Berlin', 'Asia/Tokyo')),
        () => transact(() => catalog.removeConnection(id, 'diary', at)),
      ][act]?.() ?? Promise.resolve();
  },
  import: (draw) => {
    const [id, at, act] = [draw.pick(names), time(draw), draw.upTo(2)];
    const report = JSON.stringify({ note: '\0', key_zone: maybe(draw, 'UTC') });
    return async ({ write: { imports } }) => {
      if (act === 0)
        return imports.add({ connection_id: id, format: 'diary', started_at: at, state: 'running', report });
      if (act === 1) return imports.update(1, { state: 'done', ended_at: at, report });
      return [await imports.listSpans(1), await imports.hasSpans(id), await imports.deleteSpans(1)];
    };
  },
  append: (draw) => {
    const [read, other] = [drawRead(draw), drawRead(draw)];
    const event = {
      at: time(draw),
      kind: draw.pick(eventKinds),
      client_id: maybe(draw, 'client'),
      client: maybe(draw, draw.pick(names)),
      grant_id: maybe(draw, draw.pick(names)),
      detail: null,
      n: 1 + draw.upTo(3),
    };
    return ({ audit }) => Promise.all([audit.appendReads([read, other]), audit.appendEvent(event)]);
  },
  prune: (draw) => {
    const spared = {
      kinds: draw.some(eventKinds, 30),
      unseen: { kinds: draw.some(eventKinds, 30), seenId: draw.upTo(5) },
      ofGrants: { kinds: draw.some(eventKinds, 50), grantIds: draw.some(names, 50) },
    };
    const limit = 1 + draw.upTo(3);
    return async ({ audit }) => {
      const reads = await audit.listOldestReads(limit);
      const counts = reads.map(({ at, grant_id, client, surface, tool, records, tokens_out }) => ({
        ...{ day: at.slice(0, 10), grant_id: grant_id ?? '', client, surface, tool, outcome: 'ok' as const },
        ...{ calls: 1, records, tokens_out, first_at: at, last_at: at },
      }));
      const once = counts.filter(
        ({ day, client }, at) => counts.findIndex((c) => c.day === day && c.client === client) === at,
      );
      if (reads.length > 0)
        await audit.pruneReads(
          reads.map(({ id }) => id),
          once,
        );
      const events = await audit.listOldestEvents(spared, limit);
      if (events.length > 0) await audit.pruneEvents(events.map(({ id }) => id));
      return [reads, events, await audit.listOldestEvents(spared, limit, ['signed_in'])];
    };
  },
};

/** Sorts a list that has no promised order. */
const byText = (list: readonly unknown[]) => list.map((one) => JSON.stringify(one)).sort();

/** Reads everything that a store returns, with filters that the draw decides. */
async function readAll({ read, write, audit }: Stores, draw: Draw): Promise<unknown> {
  const [name, kind, at] = [draw.pick(names), draw.pick(kinds), time(draw)];
  const filter = {
    ...(draw.chance(30) ? { grantId: maybe(draw, name) } : {}),
    ...(draw.chance(30) ? { from: at } : {}),
    ...(draw.chance(30) ? { outcome: draw.pick(['ok', 'refused'] as const) } : {}),
    ...(draw.chance(30) ? { exceptSurface: 'owner' } : {}),
  };
  const connectionId = draw.chance(50) ? 'a' : undefined;
  const page = {
    order: draw.pick(['newest', 'oldest'] as const),
    ...(draw.chance(50) ? { limit: 3, beforeId: 9 } : {}),
  };
  const filters = { kinds: draw.some(eventKinds, 70), exceptKinds: draw.some(eventKinds, 30), afterId: 1 };
  const days = ['2026-11-01', '2026-11-05', '2026-11-15', '2026-12-01'];
  return {
    grants: [await read.grants.list(), await read.grants.find(name), await findAccess(read, name)],
    items: [await write.oauth.findItem(kind, { idHash: name }), await write.oauth.isIssued(name, kinds)],
    payload: await write.oauth.findAccessTokenPayload(name),
    owner: [
      await read.owner.readPassphrase(),
      await read.owner.readSeenEvent(),
      await read.owner.findSession(name),
      await read.owner.isPassphraseSetSince(at),
      await write.owner.findSetupLink(name),
      await write.owner.listSessions({ now: at, seenAfter: '2026-11-02', limit: 3 }),
    ],
    catalog: [
      await read.catalog.version(),
      await read.catalog.zones(),
      await read.catalog.keySecret(),
      await read.catalog.listConnections(),
      await read.catalog.listSources(),
      await read.catalog.listStreams(),
      await read.catalog.listRemovals(),
      await write.catalog.findDeclaration('diary'),
      await write.catalog.findConnection(name),
      await write.catalog.findStream(name, 'entries'),
    ],
    imports: [
      await read.imports.list(),
      await read.imports.find(1),
      await read.imports.listConnections('diary'),
    ],
    reads: await audit.listReads({ ...filter, connectionId }, page),
    events: await audit.listEvents(filters, page),
    counts: byText(
      await audit.countReads(
        [
          ['2026-11-01', at],
          [days[1] as string, days[3] as string],
        ],
        filter,
      ),
    ),
    uses: [...(await audit.findLastUse(names))].sort(),
    others: [await audit.findFirstUse(name), await audit.findCountedUntil(), await audit.findLastEventId()],
  };
}

/** PostgreSQL returns the versions of the store with the access, which saves a round trip. */
async function findAccess({ grants }: Stores['read'], name: string) {
  const access = await grants.findAccess(name);
  return access && { ...access, versions: undefined };
}

async function openPostgres(): Promise<Stores> {
  const connections = await useSharedDatabase();
  const ownerId = await addOwner(connections, randomUUID(), '2026-11-18');
  const databases = openDatabases(connections, ownerId);
  return { ...createAccessStores(databases, async () => {}), audit: createAuditStore(databases.reads) };
}

/** A refused write is refused by both; how it is worded is their own. */
const settle = (call: Call, stores: Stores) => call(stores).catch(() => 'refused');

describe('both engines', () => {
  it('give the same answers after the same writes', async () => {
    await checkDrawn({ runs: 5, seed: 1 }, async (draw) => {
      const [sqlite, postgres] = [await openStore(makeFolder()), await openPostgres()];
      const acts = Object.keys(writes);
      for (let step = 0; step < STEPS; step += 1) {
        const name = draw.pick(acts);
        const call = (writes[name] as (draw: Draw) => Call)(draw);
        const [expected, answer] = [await settle(call, sqlite), await settle(call, postgres)];
        expect([step, name, answer]).toEqual([step, name, expected]);
      }
      for (let at = 0; at < 5; at += 1) {
        const seed = draw.upTo(1_000_000);
        const expected = await readAll(sqlite, createDraw(seed));
        expect(await readAll(postgres, createDraw(seed))).toEqual(expected);
      }
      sqlite.close();
    });
  });
});
