import { describe, expect, it, onTestFinished } from 'vitest';
import { recogniseInputs } from '../../src/import/recognise.ts';
import { runImport } from '../../src/import/run-import.ts';
import { importers } from '../../src/sources/importers.ts';
import { openStore } from '../../src/store/sqlite/open-store.ts';
import { makeInputFile } from '../support/input-file.ts';
import { makeFolder } from '../support/temp-folder.ts';

const mail = (id: string, from: string, day: number, more = '') =>
  `From ${from} Mon Jan 0${day} 10:00:00 2024\nMessage-ID: <${id}>\n${more}From: ${from}\nDate: 0${day} Jan 2024 10:00:00 +0000\nSubject: ${id}\n\nText ${id}\n\n`;
const answer = (id: string, from: string, day: number) =>
  mail(id, from, day, 'In-Reply-To: <root@x>\nReferences: <root@x>\n');

async function setUp() {
  const store = await openStore(makeFolder());
  onTestFinished(() => store.close());
  const FIRST = Date.parse('2026-01-01T00:00:01Z');
  let clock = FIRST - 1_000;
  const bring = async (text: string) => {
    const { found } = await recogniseInputs(importers, [makeInputFile('Inbox.mbox', text)]);
    clock += 1_000;
    // One mailbox in parts: where the parts share little, the owner says that they belong together.
    const into = clock === FIRST ? {} : { connectionId: 'mail' };
    const run = { options: { timeZone: 'UTC' }, now: () => new Date(clock), ...into };
    const one = found[0] as (typeof found)[0];
    const foretold = await runImport(store, one, { ...run, dryRun: true });
    const { report } = await runImport(store, one, run);
    expect(foretold.report.streams).toEqual(report.streams);
    return report.streams;
  };
  const readThread = () =>
    JSON.parse(
      store.read.raw
        .prepare(`select data from records join streams using (stream_id) where stream = 'threads'`)
        .pluck()
        .get() as string,
    );
  return { bring, readThread };
}

describe('totals of a stream', () => {
  it('include earlier imports, and importing again changes nothing', async () => {
    const { bring, readThread } = await setUp();
    const first = mail('root@x', 'anna@x', 1) + answer('b@x', 'bo@x', 2);
    await bring(first);
    expect(readThread()).toMatchObject({ message_count: 2, subject: 'root@x' });
    const streams = await bring(answer('c@x', 'carla@x', 4) + answer('b@x', 'bo@x', 2));
    expect(streams.threads).toEqual({ new: 0, changed: 1, same: 0, skipped: 0 });
    expect(readThread()).toMatchObject({
      message_count: 3,
      subject: 'root@x',
      first_message_at: '2024-01-01T10:00:00Z',
      last_message_at: '2024-01-04T10:00:00Z',
      participants: ['anna@x', 'bo@x', 'carla@x'],
    });
    expect((await bring(first)).threads).toEqual({ new: 0, changed: 0, same: 1, skipped: 0 });
    expect(readThread().message_count).toBe(3);
  });
});
