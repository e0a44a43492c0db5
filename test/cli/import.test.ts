import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../support/run-cli.ts';
import { makeFolder } from '../support/temp-folder.ts';

const CSV = 'id,what,when\n1,coffee,2024-05-01 10:00\n2,tea,2024-05-02 11:00\n';

/** A data folder, a file to import, and a way to run commands on them. */
function setUp(content = CSV) {
  const folder = makeFolder();
  const file = join(folder, 'drinks.csv');
  writeFileSync(file, content);
  const run = (...args: string[]) => runCli([...args, '--data', join(folder, 'data')]);
  const runJson = async (...args: string[]) => JSON.parse((await run(...args, '--json')).out);
  return { folder, file, run, runJson };
}

describe('pdpp import', () => {
  it('runs a dry run, imports, lists and undoes', async () => {
    const { file, run, runJson } = setUp();
    const counts = { rows: { new: 2, changed: 0, same: 0, skipped: 0 } };
    const foretold = await runJson('import', file, '--dry-run');
    expect(foretold.imports[0]).toMatchObject({ state: 'foretold', report: { streams: counts } });
    expect((await run('import', 'list')).err).toContain('No pdpp data in this folder.');
    const done = await run('import', file, '--name', 'My drinks');
    expect({ code: done.code, err: done.err }).toEqual({ code: 0, err: '' });
    expect(done.out).toContain('My drinks (file-drinks, new)');
    const again = await runJson('import', file);
    expect(again.imports[0].report.streams.rows).toEqual({ new: 0, changed: 0, same: 2, skipped: 0 });
    expect(await runJson('import', 'undo', '1')).toMatchObject({ removed: 2, connection_removed: true });
    expect((await run('import', 'undo', '1')).code).toBe(4);
  });

  it('writes the guessed declaration, and imports with the edited one', async () => {
    const { folder, file, run, runJson } = setUp();
    const declaration = join(folder, 'drinks.json');
    expect((await run('import', file, '--declare', declaration)).out).toContain('Edit it');
    const guessed = readFileSync(declaration, 'utf8');
    writeFileSync(
      declaration,
      guessed.replaceAll('"what"', '"drink"').replace('"title": "drink"', '"title": "what"'),
    );
    const { imports } = await runJson('import', file, '--declare', declaration, '--connection', 'drinks');
    expect(imports[0].report).toMatchObject({
      connection_id: 'drinks',
      streams: { rows: { new: 2, skipped: 0 } },
    });
  });

  it('reports the failure by its exit code', async () => {
    const { folder, file, run } = setUp('id,what\n1,"never closed\n');
    expect((await run('import')).code).toBe(2);
    expect((await run('import', join(folder, 'nowhere'))).code).toBe(4);
    expect((await run('import', file, '--as', 'nonsense')).code).toBe(2);
    const broken = await run('import', file);
    expect(broken.code).toBe(6);
    expect(broken.out).toContain('drinks.csv, line 2: has an unclosed quote');
  });

  it.each([
    ['that multiply', '<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">', '&b;'],
    ['that name a file', '<!ENTITY x SYSTEM "file:///etc/passwd">', '&x;'],
  ])('refuses XML with entities %s, and says why', async (_, entities, name) => {
    const { folder, run } = setUp();
    const track = join(folder, 'run.gpx');
    writeFileSync(
      track,
      `<?xml version="1.0"?>\n<!DOCTYPE gpx [${entities}]>\n<gpx version="1.1"><wpt lat="1" lon="2"><name>${name}</name></wpt></gpx>`,
    );
    const alone = await run('import', track);
    expect(alone.code).not.toBe(0);
    expect(alone.err).toContain('run.gpx is XML that defines its own entities, which is not supported');
    const beside = await run('import', folder);
    expect(beside.code).toBe(6);
    expect(beside.out).toContain('run.gpx is XML that defines its own entities, which is not supported');
    expect(beside.out).toContain('2 new');
  });
});

describe('connections', () => {
  it('are renamed and removed, and the demo is removed alone in one step', async () => {
    const { file, run, runJson } = setUp();
    await run('import', file);
    await run('demo');
    expect((await run('connection', 'rename', 'file-drinks', 'Drinks')).code).toBe(0);
    expect((await run('connection', 'rename', 'nobody', 'x')).code).toBe(4);
    const { connections } = await runJson('demo', '--remove');
    expect(connections.length).toBeGreaterThan(5);
    const left = (await runJson('connection', 'list')) as { connection_id: string; display_name: string }[];
    expect(left.map((one) => [one.connection_id, one.display_name])).toEqual([['file-drinks', 'Drinks']]);
    expect(await runJson('connection', 'remove', 'file-drinks')).toMatchObject({ records: 2 });
    expect(await runJson('connection', 'list')).toEqual([]);
    expect((await run('verify')).code).toBe(0);
  });

  it.each([
    [
      'messages/inbox/bo_1/message_1.html',
      '<html><head><title>Bo</title></head><body class="_5vb_"><div class="pam _a6-g">Hello</div></body></html>',
      'request it again and choose JSON',
    ],
    [
      'messages.html',
      '<!DOCTYPE html>\n<html><head><title>Exported Data</title></head><body><div class="page_wrap">Hello</div></body></html>',
      'export again and choose machine-readable JSON',
    ],
    [
      'chat.html',
      '<html><head><title>ChatGPT Data Export</title></head><body><script>var jsonData = [];</script></body></html>',
      'conversations are imported from conversations.json',
    ],
    [
      'general.html',
      '<!DOCTYPE html>\n<html><body><div class="chatlog__message-group">Hello</div></body></html>',
      'export again and choose JSON',
    ],
  ])('says of %s that it is a page, and what to do', async (path, page, hint) => {
    const { folder, run } = setUp();
    mkdirSync(dirname(join(folder, 'given', path)), { recursive: true });
    writeFileSync(join(folder, 'given', path), page);
    const { code, err } = await run('import', join(folder, 'given'));
    expect(code).not.toBe(0);
    expect(err).toContain(`${path} is `);
    expect(err).toContain(hint);
  });
});
