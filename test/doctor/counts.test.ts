import { describe, expect, it, onTestFinished } from 'vitest';
import { examineCounts } from '../../src/store/sqlite/check/examine-files.ts';
import { openStore } from '../../src/store/sqlite/open-store.ts';
import { ingestBatch } from '../support/fill-store.ts';
import { endProcess } from '../support/processes/end-process.ts';
import { startScript, waitForText } from '../support/run-cli.ts';
import { makeFolder } from '../support/temp-folder.ts';

const ROUNDS = 100;

describe('the counts of pdpp doctor', () => {
  it('agree while another process adds records', async () => {
    const folder = makeFolder();
    const store = await openStore(folder);
    await ingestBatch(store, 1);
    onTestFinished(() => store.close());
    const writer = startScript('test/support/processes/ingest-child.ts', [folder, '2']);
    onTestFinished(() => endProcess(writer, 'SIGKILL'));
    await waitForText(writer, /^5$/m);
    for (let round = 0; round < ROUNDS; round++) {
      const wrong = examineCounts(store).filter(({ fine }) => !fine);
      expect(wrong).toEqual([]);
      // Lets the writer commit between two reads.
      await new Promise((resolve) => setImmediate(resolve));
    }
  });

  it('name a table that does not agree', async () => {
    const store = await openStore(makeFolder());
    onTestFinished(() => store.close());
    await ingestBatch(store, 1);
    store.write.raw.exec('update days set n = n + 1');
    expect(examineCounts(store).map(({ check, fine }) => [check, fine])).toEqual([
      ['facets', true],
      ['day counts', false],
      ['full text', true],
    ]);
  });
});
