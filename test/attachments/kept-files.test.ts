import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KeepSession } from '../../src/import/kept-files/keep-session.ts';
import { runCli } from '../support/run-cli.ts';
import { makeFolder } from '../support/temp-folder.ts';
import { makeMailbox, readCorpus } from './make-mail.ts';

const letter = readCorpus().find(({ name }) => name === 'letter-german.pdf') as ReturnType<
  typeof readCorpus
>[0];
const sha256 = createHash('sha256').update(letter.bytes).digest('hex');

async function* pieces(bytes: Uint8Array) {
  for (let at = 0; at < bytes.length; at += 1_000) yield bytes.subarray(at, at + 1_000);
}

function readIndex(folder: string): unknown[] {
  const lines = readFileSync(join(folder, 'index.ndjson'), 'utf8').split('\n');
  return lines.filter((line) => line.endsWith('}')).map((line) => JSON.parse(line));
}

describe('the files of an import', () => {
  it('are kept only with --keep-files, once each, and go with their connection', async () => {
    const data = join(makeFolder(), 'data');
    const files = join(data, 'files');
    const mbox = join(makeFolder(), 'mail.mbox');
    writeFileSync(mbox, makeMailbox([letter, { ...letter, name: '../../../copy.pdf' }]));
    const run = async (...args: string[]) => {
      const { code, err, out } = await runCli([...args, '--data', data, '--json']);
      expect([args[0], code, err]).toEqual([args[0], 0, expect.any(String)]);
      return JSON.parse(out) as { imports: { report: { connection_id: string } }[] };
    };
    await run('import', mbox);
    await run('import', mbox, '--dry-run', '--keep-files');
    expect(existsSync(files)).toBe(false);
    const { imports } = await run('import', mbox, '--keep-files');
    const folder = join(files, imports[0]?.report.connection_id as string);
    await run('import', mbox, '--keep-files');
    expect(readdirSync(folder).sort()).toEqual([sha256, 'index.ndjson', 'lock'].sort());
    expect(readFileSync(join(folder, sha256))).toEqual(letter.bytes);
    expect(statSync(join(folder, sha256)).mode & 0o777).toBe(0o600);
    expect(readIndex(folder)).toEqual(
      ['letter-german.pdf', '../../../copy.pdf'].map((name) => ({
        record: expect.stringContaining('@example.org/1-'),
        name,
        sha256,
        run: expect.any(String),
      })),
    );
    await run('connection', 'remove', imports[0]?.report.connection_id as string);
    expect(readdirSync(files)).toEqual([]);
  }, 120_000);

  it('are shared by connections, survive a cut index, and a file that cannot be read is not kept', async () => {
    const directory = makeFolder();
    const open = (id: string) => KeepSession.open(directory, id, 'run');
    const [one, two] = [await open('one'), await open('two')];
    await one.keep('a', 'a.pdf', pieces(letter.bytes));
    await two.keep('a', 'a.pdf', pieces(letter.bytes));
    const [first, second] = ['one', 'two'].map((name) => join(directory, 'files', name));
    expect(statSync(join(first as string, sha256)).ino).toBe(statSync(join(second as string, sha256)).ino);
    appendFileSync(join(first as string, 'index.ndjson'), '\n{"record":"b","sha');
    const again = await open('one');
    await again.keep('a', 'a.pdf', pieces(letter.bytes));
    await again.keep('b', undefined, pieces(letter.bytes));
    await again.keep(
      'c',
      'c.pdf',
      (async function* () {
        yield letter.bytes;
        throw new Error('damaged');
      })(),
    );
    expect(readIndex(first as string)).toEqual([
      { record: 'a', name: 'a.pdf', sha256, run: 'run' },
      { record: 'b', sha256, run: 'run' },
    ]);
    const stored = readdirSync(first as string).filter((name) => !name.endsWith('.sweep'));
    expect(stored.sort()).toEqual([sha256, 'index.ndjson', 'lock'].sort());
  });
});
