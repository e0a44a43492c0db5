import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createWorld } from '../support/world.ts';

/** Judged collections in a folder beside the project, if present. */
const folder = fileURLToPath(new URL('../../../shared/ir/', import.meta.url));

const declaration = {
  protocol_version: '0.1.0',
  declaration_version: '1',
  connector_key: 'library',
  display: { name: 'Library' },
  source: { kind: 'connector', id: 'https://example.org/library' },
  publisher: { id: 'https://example.org' },
  streams: [
    {
      name: 'docs',
      semantics: 'append_only',
      primary_key: ['id'],
      schema: {
        type: 'object',
        required: ['id'],
        properties: Object.fromEntries(
          ['id', 'title', 'author', 'text'].map((name) => [name, { type: 'string' }]),
        ),
      },
      selection: { fields: true, resources: true },
      query: { search: { lexical_fields: ['title', 'author', 'text'] } },
    },
  ],
};

const readLines = (name: string, file: string) =>
  readFileSync(`${folder}${name}/${file}`, 'utf8').trim().split('\n');

async function judge(name: string): Promise<{ recall: number; mrr: number; ndcg: number }> {
  const wanted = new Map<string, Set<string>>();
  for (const line of readLines(name, 'qrels.tsv')) {
    const [query, doc] = line.split('\t') as [string, string];
    wanted.set(query, (wanted.get(query) ?? new Set()).add(doc));
  }
  const world = await createWorld();
  world.store.write.raw.pragma('synchronous = off');
  await world.addSource(declaration, { shelf: 'Shelf' });
  const lines = readLines(name, 'docs.ndjson').map((line) => JSON.parse(line) as Record<string, string>);
  await world.ingest(
    'shelf',
    'docs',
    lines.map((data) => ({ key: data.id as string, data })),
  );
  const { token } = await world.grant([{ connection_id: 'shelf' }]);
  const sums = { recall: 0, mrr: 0, ndcg: 0 };
  for (const line of readLines(name, 'queries.ndjson')) {
    const { id, text } = JSON.parse(line) as { id: string; text: string };
    const relevant = wanted.get(id);
    if (relevant === undefined) continue;
    const { structuredContent } = await world.call(token, 'search', { query: text, limit: 10 });
    const hits = structuredContent.results.map((hit: { id: string }) =>
      relevant.has(hit.id.split('/').at(-1) as string),
    ) as boolean[];
    const most = Math.min(10, relevant.size);
    const gain = (at: number) => 1 / Math.log2(at + 2);
    const ideal = Array.from({ length: most }, (_, at) => gain(at)).reduce((a, b) => a + b);
    sums.recall += hits.filter(Boolean).length / most / wanted.size;
    sums.mrr += hits.includes(true) ? 1 / (hits.indexOf(true) + 1) / wanted.size : 0;
    sums.ndcg += hits.reduce((sum, hit, at) => sum + (hit ? gain(at) : 0), 0) / ideal / wanted.size;
  }
  world.close();
  return sums;
}

describe.skipIf(!existsSync(folder))('search on judged collections', () => {
  it.each([
    ['med', { recall: 0.655, mrr: 0.908, ndcg: 0.7 }],
    ['cisi', { recall: 0.311, mrr: 0.534, ndcg: 0.322 }],
  ])(
    'is at least as good as the built-in ranking with stemming on %s',
    async (name, porter) => {
      const ours = await judge(name);
      expect(ours.recall).toBeGreaterThanOrEqual(porter.recall);
      expect(ours.mrr).toBeGreaterThanOrEqual(porter.mrr);
      expect(ours.ndcg).toBeGreaterThanOrEqual(porter.ndcg);
    },
    300_000,
  );
});
