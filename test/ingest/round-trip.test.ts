import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeValue } from '../../src/text/escape-text.ts';
import { diarySource } from '../support/diary-source.ts';
import { readStoredJson } from '../support/stores/tables.ts';
import { createWorld } from '../support/world.ts';

const unicode = fc.string({ unit: 'binary', maxLength: 30 });
const json = fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' });

/** Data of the entries stream: any values, sometimes of the wrong type, sometimes more than is declared. */
const data = fc.record(
  {
    title: fc.oneof({ weight: 9, arbitrary: unicode }, { weight: 1, arbitrary: json }),
    stars: fc.oneof(fc.maxSafeInteger(), fc.integer()),
    price: fc.double({ noNaN: true, noDefaultInfinity: true }),
    done: fc.boolean(),
    tags: fc.array(unicode, { maxLength: 3 }),
    extra: json,
    undeclared: json,
  },
  { requiredKeys: [] },
);

/** What JSON can carry: no negative zero, and names that are own. */
const throughJson = (value: unknown) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>;

/** Whole numbers that every client would round travel as strings of their digits. */
function asServed(value: unknown): unknown {
  if (typeof value === 'number') {
    const digits = JSON.stringify(value);
    return Math.abs(value) > Number.MAX_SAFE_INTEGER && /^-?\d+$/.test(digits) ? digits : value;
  }
  if (Array.isArray(value)) return value.map(asServed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, asServed(inner)]));
}

describe('any record that is accepted', () => {
  it('is read back equal or refused with a reason', async () => {
    const world = await createWorld();
    await world.addSource(diarySource, { mine: 'My diary' });
    const { token } = await world.grant([{ connection_id: 'mine' }]);
    let run = 0;
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(data, async (drawn) => {
        const id = `r${++run}`;
        const sent: Record<string, unknown> = { ...throughJson(drawn), id };
        const report = await world.ingest('mine', 'entries', [{ key: id, data: sent }]);
        expect(report.new + report.refused).toBe(1);
        if (report.refused === 1) {
          expect(report.refusals[0]?.reason).toMatch(
            /^does not match its schema: title breaks type string$|__proto__/,
          );
          return;
        }
        accepted += 1;
        expect(await readStoredJson(world.store, id)).toEqual(asServed(sent));

        const { structuredContent } = await world.call(token, 'query_records', {
          stream: 'entries',
          filter: { id },
        });
        const [row] = structuredContent.data;
        for (const name of ['title', 'stars', 'price', 'done', 'tags', 'extra']) {
          if (row.cut !== undefined && name in row.cut) continue;
          const value = sent[name] ?? undefined;
          expect(row.record[name]).toEqual(value === undefined ? undefined : escapeValue(asServed(value)));
        }
        expect(row.record).not.toHaveProperty('undeclared');
      }),
      { numRuns: 300 },
    );
    expect(accepted).toBeGreaterThan(200);
    world.close();
  });
});
