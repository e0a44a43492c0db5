import { copyFileSync, cpSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createEventLog } from '../../src/audit/events.ts';
import { writeAccessChange } from '../../src/audit/known-endings.ts';
import { checkFolderState } from '../../src/cli/serve/check-folder-state.ts';
import { changeTerms, createAppChanges } from '../../src/grants/change-grant.ts';
import { getGrant } from '../../src/grants/grant-store.ts';
import { type Allowance, resolveGrant } from '../../src/grants/resolve-grant.ts';
import { createSetupLink } from '../../src/owner/setup-link.ts';
import { loadCatalog } from '../../src/schema-index/catalog.ts';
import { renewMark } from '../../src/store/sqlite/folder/folder-mark.ts';
import { openStore, type SqliteStore } from '../../src/store/sqlite/open-store.ts';
import { formatHint } from '../../src/text/hint.ts';
import { createBrowser } from '../support/browser.ts';
import { ingestBatch } from '../support/fill-store.ts';
import { createOwnerBrowser } from '../support/oauth-client.ts';
import { runCli } from '../support/run-cli.ts';
import { unpackOldStore } from '../support/stores/old-store.ts';
import { makeFolder } from '../support/temp-folder.ts';
import { createWorld, ORIGIN, type World } from '../support/world.ts';

let worlds: World[] = [];
afterEach(() => {
  for (const world of worlds) world.close();
  worlds = [];
});

/** What a server does at its start. */
async function start(store: SqliteStore): Promise<string[]> {
  const told = await checkFolderState(store, createEventLog(store.audit), new Date());
  await renewMark(store);
  return told.map((sentence) => formatHint(sentence));
}

async function openWorld(directory: string): Promise<World> {
  const world = await createWorld({ directory, clock: 'real' });
  worlds.push(world);
  return world;
}

async function makeFolderWithGrants() {
  const directory = join(makeFolder(), 'data');
  const store = await openStore(directory);
  store.close();
  const world = await createWorld({ directory, clock: 'real' });
  expect(await start(world.store)).toEqual([]);
  await ingestBatch(world.store, 1);
  const kept = await world.grant([{ connection_id: 'mine' }]);
  const revoked = await world.grant([{ connection_id: 'mine' }]);
  const narrowed = await world.grant([{ connection_id: 'mine' }]);
  const shortened = await world.grant([{ connection_id: 'mine' }]);
  const owner = await world.ownerToken();
  return { directory, world, kept, revoked, narrowed, shortened, owner };
}

const changesOf = ({ store }: World) =>
  createAppChanges({ write: store.write, writeEvent: createEventLog(store.audit), now: () => new Date() });

/** As the owner does on the page of the app. */
async function changeAccess(world: World, grantId: string, change: Partial<Allowance>, since?: number) {
  const grant = await getGrant(world.store.read, grantId);
  const allow = [{ connection_id: 'mine', stream: 'entries', ...change }];
  const catalog = await loadCatalog(world.store.read);
  const { streams } = resolveGrant(catalog, allow, since === undefined ? {} : { since });
  await changeTerms(world.store.write, grant, { streams, expiresAt: undefined }, new Date(), () =>
    createEventLog(world.store.audit)(
      {
        kind: 'access_changed',
        grantId,
        client: grant.clientName,
        detail: writeAccessChange({ summary: 'Changed', terms: streams }),
      },
      new Date(),
    ),
  );
}

const isLetIn = async (world: World, token: string) => (await world.rpc(token, 'tools/list')).status === 200;

/** As `cp` does: over what is there, keeping the files and whatever else lies in the folder. */
function copyOver(from: string, to: string, names = readdirSync(from)): void {
  for (const name of names) copyFileSync(join(from, name), join(to, name));
}

describe('an ordinary restart', () => {
  it('keeps an owner signed in who has just set the passphrase', async () => {
    const world = await openWorld(join(makeFolder(), 'data'));
    const browser = createBrowser(world.request, ORIGIN);
    const link = await createSetupLink(world.store.write, ORIGIN, new Date());
    const passphrase = 'four words nobody guesses';
    const page = await browser.submit(await browser.open(link), { passphrase, again: passphrase });
    expect(new URL(page.url).pathname).toBe('/dashboard');
    expect(await start(world.store)).toEqual([]);
    expect(new URL((await browser.open('/dashboard')).url).pathname).toBe('/dashboard');
  });
});

describe('a store that is older than the audit beside it', () => {
  it('D-03 has its revocations applied again', async () => {
    const made = await makeFolderWithGrants();
    const { directory } = made;
    made.world.store.close();
    const copy = join(makeFolder(), 'copy');
    cpSync(directory, copy, { recursive: true });

    const before = await createWorld({ directory, clock: 'real' });
    const changes = changesOf(before);
    await changes.revoke(made.revoked.grantId);
    await changes.endConnection(made.narrowed.grantId, 'mine');
    await changes.setExpiry(made.shortened.grantId, '1w');
    before.store.close();
    const cli = await runCli(['owner', 'revoke', '--data', directory]);
    expect(cli.code).toBe(0);

    copyOver(copy, directory, ['store.sqlite']);
    const world = await openWorld(directory);
    expect(await isLetIn(world, made.revoked.token)).toBe(true);
    const told = await start(world.store);
    expect(told.join()).toMatch(/Access that had ended since was ended again/);
    expect(await isLetIn(world, made.revoked.token)).toBe(false);
    expect(await isLetIn(world, made.kept.token)).toBe(true);
    const schema = await world.call(made.narrowed.token, 'schema');
    expect(JSON.stringify(schema.structuredContent)).not.toContain('mine');
    const expires = world.store.write.raw
      .prepare('select expires_at from grants where grant_id = ?')
      .pluck()
      .get(made.shortened.grantId);
    expect(Date.parse(expires as string)).toBeLessThan(Date.now() + 8 * 86_400_000);
    const asOwner = await world.request('/v1/schema', { headers: { authorization: `Bearer ${made.owner}` } });
    expect(asOwner.status).toBe(401);
    expect(await start(world.store)).toEqual([]);
  });

  it('grants neither more than the owner last approved nor more than the store contains', async () => {
    const made = await makeFolderWithGrants();
    const { directory } = made;
    const narrow = await made.world.grant([{ connection_id: 'mine', stream: 'entries', fields: ['title'] }]);
    made.world.store.close();
    const copy = join(makeFolder(), 'copy');
    cpSync(directory, copy, { recursive: true });

    const before = await createWorld({ directory, clock: 'real' });
    // Narrowed in fields and time; taken out and given back; widened.
    await changeAccess(before, made.kept.grantId, { fields: ['title'] }, Date.parse('2026-01-01'));
    await changesOf(before).endConnection(made.narrowed.grantId, 'mine');
    await changeAccess(before, made.narrowed.grantId, { fields: ['title', 'body'] });
    await changeAccess(before, narrow.grantId, {});
    before.store.close();

    copyOver(copy, directory, ['store.sqlite']);
    const world = await openWorld(directory);
    expect((await start(world.store)).join()).toMatch(/Access that had ended since was ended again/);
    const termsOf = async (grantId: string) =>
      (await getGrant(world.store.read, grantId)).streams.map(({ stream, fields, since }) => [
        stream,
        fields,
        since,
      ]);
    expect(await termsOf(made.kept.grantId)).toEqual([
      ['entries', ['id', 'title'], Date.parse('2026-01-01')],
    ]);
    expect(await termsOf(made.narrowed.grantId)).toEqual([['entries', ['id', 'title', 'body'], undefined]]);
    // What was added after the copy is not in it, and is not made up from the log.
    expect(await termsOf(narrow.grantId)).toEqual([['entries', ['id', 'title'], undefined]]);
    for (const { token } of [made.kept, made.narrowed, narrow])
      expect(await isLetIn(world, token)).toBe(true);
    expect(await start(world.store)).toEqual([]);
  });

  it('does not modify a changed access if store and log are from the same time', async () => {
    const { world, kept } = await makeFolderWithGrants();
    worlds.push(world);
    await changeAccess(world, kept.grantId, { fields: ['title', 'body'] });
    const { streams, revision } = await getGrant(world.store.read, kept.grantId);
    expect(await start(world.store)).toEqual([]);
    expect(await getGrant(world.store.read, kept.grantId)).toMatchObject({ streams, revision });
  });
});

describe('a folder that is restored from a manual copy', () => {
  const ways: [string, (copy: string, directory: string) => void][] = [
    [
      'in place of the one that was there',
      (copy, directory) => {
        rmSync(directory, { recursive: true });
        cpSync(copy, directory, { recursive: true });
      },
    ],
    ['over the files that were there', (copy, directory) => copyOver(copy, directory)],
  ];
  it.each(ways)('D-03 %s is detected, and every page explains what to do', async (_, putBack) => {
    const made = await makeFolderWithGrants();
    const { directory } = made;
    made.world.store.close();
    const copy = join(makeFolder(), 'copy');
    cpSync(directory, copy, { recursive: true });
    const later = await createWorld({ directory, clock: 'real' });
    expect(await start(later.store)).toEqual([]);
    await changesOf(later).revoke(made.revoked.grantId);
    later.store.close();

    putBack(copy, directory);
    const world = await openWorld(directory);
    expect((await start(world.store)).join()).toMatch(/a different copy from the one last used here/);
    const browser = await createOwnerBrowser(world);
    for (const path of ['/dashboard', '/dashboard/apps', '/dashboard/activity']) {
      const { text } = await browser.open(path);
      expect(text).toMatch(/Access that you ended after the copy was made may be active again/);
      expect(text).toContain('<a href="/dashboard/apps">See all apps</a>');
    }
    // The one command that the alarm names.
    expect(await isLetIn(world, made.revoked.token)).toBe(true);
    const ended = await runCli(['grant', 'revoke', '--all', '--data', directory, '--json']);
    expect(JSON.parse(ended.out)).toEqual({ grants: 4, owner_tokens: 1, sessions: 1 });
    for (const { token } of [made.kept, made.revoked]) expect(await isLetIn(world, token)).toBe(false);
    expect((await browser.open('/dashboard')).url).toContain('/login');
    // Said once; the next start finds the folder that ran last.
    expect(await start(world.store)).toEqual([]);
  });

  it('is detected if the copy is from a version without folder marks', async () => {
    const { directory } = unpackOldStore();
    const copy = join(makeFolder(), 'copy');
    cpSync(directory, copy, { recursive: true });
    const world = await openWorld(directory);
    expect(await start(world.store)).toEqual([]);
    world.store.close();
    copyOver(copy, directory);
    const again = await openWorld(directory);
    expect((await start(again.store)).join()).toMatch(/a different copy/);
  });
});

describe('no alarm', () => {
  it('is raised by restarts, upgrades, vacuum, a moved folder, or a crash while the folder is marked', async () => {
    const { directory } = unpackOldStore();
    const restart = async (folder: string, between: (store: SqliteStore) => void = () => {}) => {
      const store = await openStore(folder);
      const told = await start(store);
      between(store);
      store.close();
      return told.map((sentence) => formatHint(sentence));
    };
    expect(await restart(directory)).toEqual([]);
    expect(await restart(directory, (store) => store.write.raw.exec('vacuum'))).toEqual([]);
    const moved = join(makeFolder(), 'moved');
    renameSync(directory, moved);
    expect(await restart(moved)).toEqual([]);
    // Every point at which marking the folder can be interrupted: the file is there or not, old ones too.
    const marks = () => readdirSync(moved).filter((name) => name.startsWith('run.'));
    const [last] = marks();
    expect(
      await restart(moved, () => {
        writeFileSync(join(moved, last as string), '');
      }),
    ).toEqual([]);
    expect(marks()).toHaveLength(2);
    expect(await restart(moved, () => rmSync(join(moved, marks()[0] as string)))).toEqual([]);
    expect(await restart(moved)).toEqual([]);
  });
});
