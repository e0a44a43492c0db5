import { describe, expect, it } from 'vitest';
import { DEMO_END } from '../../bench/demo-end.ts';
import { exampleSources } from '../../bench/generator/example-sources.ts';
import { fillGenerated, generateRecords } from '../../bench/generator/fill-generated.ts';
import { personalSources } from '../../bench/generator/personal.ts';
import type { GeneratedLine } from '../../bench/generator/types.ts';
import { findEndOfDay } from '../../src/demo/demo-connections.ts';
import { loadCatalog } from '../../src/schema-index/catalog.ts';
import { createWorld, NOW } from '../support/world.ts';

const day = 86_400_000;
const timeFields = new Map<string, string | undefined>(
  [...personalSources, ...exampleSources].flatMap(({ declaration, connections }) =>
    connections.flatMap(({ connection_id }) =>
      declaration.streams.map(
        (stream) => [`${connection_id} ${stream.name}`, stream.consent_time_field] as const,
      ),
    ),
  ),
);

/** The lines of every stream of the demo that ends then. */
function collect(until: Date): Map<string, GeneratedLine[]> {
  const lines = new Map<string, GeneratedLine[]>();
  for (const batch of generateRecords({ records: 6_000, seed: 1, until })) {
    const name = `${batch.connection_id} ${batch.stream}`;
    lines.set(name, [...(lines.get(name) ?? []), ...batch.lines]);
  }
  return lines;
}

const findLast = (name: string, lines: readonly GeneratedLine[]) =>
  Math.max(...lines.map(({ data }) => Date.parse(String(data[timeFields.get(name) as string])) || 0));

describe('generated records until', () => {
  it.each(['today, some time in the morning', 'a leap day', 'the middle of the holidays'])(
    '%s has nothing later, and what happens daily happens on that day',
    (what) => {
      const until = new Date(
        { 'a leap day': '2028-02-29T22:00:00Z', 'the middle of the holidays': '2026-12-25T22:00:00Z' }[
          what
        ] ?? '2026-11-17T09:20:00Z',
      );
      const lines = collect(until);
      for (const [name, all] of lines) {
        if (timeFields.get(name) !== undefined)
          expect([name, findLast(name, all) <= until.getTime()]).toEqual([name, true]);
      }
      for (const name of ['bank_checking transactions', 'spotify plays', 'apple_health samples'])
        expect([name, findLast(name, lines.get(name) ?? []) > until.getTime() - day]).toEqual([name, true]);
      const trips = (lines.get('google_calendar events') ?? []).filter(({ key }) => key.startsWith('trip'));
      expect(trips.map(({ data }) => String(data.title).split(' ')[0]).sort()).toEqual(
        ['Chamonix', 'Fontainebleau', 'Kyoto', 'Lyon', 'Lübeck', 'Siurana', 'Valencia'].sort(),
      );
    },
  );

  it('is a day that the calendar has', () => {
    expect(findEndOfDay('2026-10-31')).toEqual(DEMO_END);
    for (const text of ['2026-02-31', '2026-1-1', 'today', '']) expect(findEndOfDay(text)).toBeUndefined();
  });
});

describe('the generated life of a person', () => {
  it('lists what is their own first and the example systems last', async () => {
    const world = await createWorld({ timeZone: 'Europe/Berlin' });
    await fillGenerated(world.store.write, { records: 100, seed: 1, until: DEMO_END }, NOW);
    const { connections } = await loadCatalog(world.store.read);
    const ids = connections.map(({ connection_id }) => connection_id);
    expect(ids.slice(0, 3)).toEqual(['gmail_personal', 'google_calendar', 'slack_work']);
    expect(ids.slice(-4)).toEqual(['foundry', 'foundry_mcp', 'harmonic', 'agor']);
  });

  it('has one currency to add up, and says what was paid abroad beside it', () => {
    const transactions = collect(DEMO_END).get('bank_checking transactions') ?? [];
    expect(new Set(transactions.map(({ data }) => data.currency))).toEqual(new Set(['EUR']));
    const abroad = transactions.filter(({ data }) => / [\d,]+ JPY$/.test(String(data.description)));
    expect(abroad.length).toBeGreaterThan(5);
    expect(abroad.every(({ data }) => data.city === 'Kyoto' && (data.amount as number) > -100)).toBe(true);
  });
});
