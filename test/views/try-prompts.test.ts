import { describe, expect, it } from 'vitest';
import { ingestLines } from '../../src/ingest/ingest-lines.ts';
import { installSource } from '../../src/ingest/install-source.ts';
import { findStream, loadCatalog } from '../../src/schema-index/catalog.ts';
import { checkDeclaration } from '../../src/schema-index/check-declaration.ts';
import { addConnection } from '../../src/schema-index/edit-catalog.ts';
import { bankDeclaration } from '../../src/sources/bank/bank-declaration.ts';
import { readTryPrompts } from '../../src/views/try-prompts.ts';
import { createWorld, NOW } from '../support/world.ts';

async function readPrompt(...dates: string[]): Promise<string | undefined> {
  const { store } = await createWorld({ timeZone: 'Europe/Berlin' });
  await installSource(store.write, checkDeclaration(bankDeclaration), NOW);
  await addConnection(
    store.write,
    { connection_id: 'bank', connector_key: 'bank', display_name: 'Bank' },
    NOW,
  );
  const stream = findStream(await loadCatalog(store.write), 'bank', 'transactions');
  const lines = dates.map((date, index) =>
    JSON.stringify({
      key: `t${index}`,
      data: { id: `t${index}`, account_id: 'a', date, amount: -1, currency: index % 2 === 0 ? 'EUR' : 'JPY' },
      emitted_at: `${date}T12:00:00Z`,
    }),
  );
  const report = await ingestLines(store.write, stream as NonNullable<typeof stream>, 'UTC', lines);
  expect(report.refusals).toEqual([]);
  return (await readTryPrompts(store.read, await loadCatalog(store.read), NOW))[0]?.prompt;
}

describe('suggested questions about a bank', () => {
  it('name a month with data and do not add currencies', async () => {
    expect(await readPrompt('2024-03-02', '2024-05-20')).toBe(
      'Where did my money go in May 2024? Add up my Bank transactions by category, each currency by itself.',
    );
  });

  it('name the previous month when the last one has just begun', async () => {
    expect(await readPrompt('2024-03-02', '2024-05-03')).toContain('in April 2024?');
    expect(await readPrompt('2024-05-02', '2024-05-03')).toContain('in May 2024?');
  });

  it('are not about future records', async () => {
    expect(await readPrompt('2026-10-20', '2027-02-20')).toContain('in October 2026?');
  });
});
