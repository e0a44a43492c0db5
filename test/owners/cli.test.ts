import { describe, expect, it } from 'vitest';
import { createTestDatabase } from '../support/postgres/databases.ts';
import { runCli } from '../support/run-cli.ts';
import { makeFolder } from '../support/temp-folder.ts';

/** Runs commands on one deployment. */
async function createShell(engine: string) {
  const folder = makeFolder();
  const environment: Record<string, string> = { PDPP_DATA: folder };
  if (engine === 'PostgreSQL') environment.DATABASE_URL = await createTestDatabase();
  const run = (...words: string[]) => runCli(words, { environment });
  return { folder, run };
}

describe.each(['SQLite', 'PostgreSQL'])('pdpp owner on %s', (engine) => {
  it('adds an owner with a setup link, lists it, and lets other commands choose it', async () => {
    const { run, folder } = await createShell(engine);
    const added = await run('owner', 'add', 'alice', '--host', 'Alice.localhost');
    expect(added.err).toBe('');
    expect(added.out).toMatch(/http:\/\/alice\.localhost:7733\/setup\/pdpp_/);
    const { out } = await run('owner', 'list', '--json');
    const isFolder = engine === 'SQLite';
    expect(JSON.parse(out)).toEqual([
      { name: 'owner', url: 'http://127.0.0.1:7733', folder: isFolder ? folder : null },
      {
        name: 'alice',
        url: 'http://alice.localhost:7733',
        folder: isFolder ? `${folder}/owners/alice` : null,
        created_at: expect.any(String),
      },
    ]);
    expect((await run('demo', '--owner', 'alice')).out).toContain('open http://alice.localhost:7733/');
    const listed = await run('connection', 'list', '--owner', 'alice', '--json');
    const connections = JSON.parse(listed.out) as { streams: Record<string, number> }[];
    expect(connections.length).toBeGreaterThan(5);
    // How many there are depends on the day.
    const records = connections
      .flatMap(({ streams }) => Object.values(streams))
      .reduce((sum, count) => sum + count, 0);
    // The main owner has no data, which SQLite reports as a folder without a store.
    expect((await run('connection', 'list', '--json')).out.trim()).toBe(isFolder ? '' : '[]');
    const reset = await run('owner', 'reset', '--owner', 'alice');
    expect(reset.out).toMatch(/http:\/\/alice\.localhost:7733\/setup\/pdpp_.*--owner alice --all/s);

    const warned = await run('owner', 'remove', 'alice');
    expect([warned.code, warned.err]).toEqual([2, expect.stringContaining('add --yes')]);
    const removed = await run('owner', 'remove', 'alice', '--yes', '--json');
    expect(JSON.parse(removed.out)).toEqual(
      isFolder
        ? { name: 'alice', folder: expect.stringContaining('/owners/removed/alice-') }
        : { name: 'alice', records },
    );
    expect((await run('connection', 'list', '--owner', 'alice')).code).toBe(4);
  });

  it('refuses hosts and names that are taken or wrong, and keeps the list', async () => {
    const { run } = await createShell(engine);
    const codes: (number | null)[] = [];
    for (const [name, host] of [
      ['alice', 'a.example'],
      ['alice', 'b.example'],
      ['bob', 'a.example'],
      ['bob', 'localhost'],
      ['bob', 'b.example:443'],
      ['owner', 'b.example'],
    ] as const)
      codes.push((await run('owner', 'add', name, '--host', host)).code);
    expect(codes).toEqual([0, 2, 2, 2, 2, 2]);
    expect((await run('owner', 'remove', 'owner', '--yes')).code).toBe(2);
    expect((await run('owner', 'remove', 'nobody', '--yes')).code).toBe(4);
    expect(JSON.parse((await run('owner', 'list', '--json')).out)).toHaveLength(2);
  });
});
