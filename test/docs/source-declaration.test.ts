import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createWorld } from '../support/world.ts';

const page = readFileSync(new URL('../../docs/source-declaration.md', import.meta.url), 'utf8');
const [minimal, full] = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(
  (match) => JSON.parse(match[1] as string) as { streams: { name: string }[] },
);

async function ask(declaration: unknown, stream: string, data: Record<string, unknown>, timeField: string) {
  const world = await createWorld();
  onTestFinished(() => world.close());
  await world.addSource(declaration, { mine: 'Mine' });
  const report = await world.ingest('mine', stream, [{ key: 'a', emitted_at: '2026-01-01T00:00:00Z', data }]);
  expect(report).toMatchObject({ new: 1, refused: 0 });
  const { token } = await world.grant([{ connection_id: 'mine' }]);
  const by = await world.call(token, 'aggregate', {
    stream,
    metric: 'count',
    group_by: timeField,
    interval: 'month',
  });
  return { world, token, by };
}

describe('the declarations of docs/source-declaration.md', () => {
  it('the minimal one accepts records and groups them by time', async () => {
    const data = { id: 'a', written_at: '2026-03-04T05:06:07Z', text: 'hello' };
    const { by } = await ask(minimal, 'notes', data, 'written_at');
    expect(JSON.stringify(by.structuredContent)).toContain('2026-03');
  });

  it('the complete one is accepted unchanged, with its metrics', async () => {
    const data = { id: 'a', title: 'Emma', ordered_at: '2026-03-04T05:06:07Z', price: 9.5, currency: 'EUR' };
    const { by, world, token } = await ask(full, 'orders', data, 'ordered_at');
    expect(JSON.stringify(by.structuredContent)).toContain('2026-03');
    const sum = await world.call(token, 'aggregate', { stream: 'orders', metric: 'sum', field: 'price' });
    expect(JSON.stringify(sum.structuredContent)).toContain('9.5');
  });
});
