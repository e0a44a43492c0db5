import { setTimeZone } from '../../src/schema-index/edit-catalog.ts';
import { DEMO_END } from '../demo-end.ts';
import { fillGenerated } from '../generator/fill-generated.ts';
import { table } from '../table.ts';
import { readDemoDocuments } from './demo-documents.ts';
import { openOurs } from './engines/ours.ts';
import type { Verdict } from './judge.ts';
import { drawKnownItems, KNOWN_ITEM_WAYS, type KnownItemWay } from './known-item-questions.ts';

/** How often a record was among the first three hits, when asked for by some of its own words. */
export interface KnownItemFigures {
  readonly way: KnownItemWay;
  readonly items: number;
  readonly found: number;
  readonly missed: readonly { question: string; id: string }[];
}

const SEED = 1;
const TOP = 3;
const MAX_MISSED = 20;

export async function measureKnownItems(
  size: { items: number; records: number },
  now: Date,
): Promise<KnownItemFigures[]> {
  const demo = { records: size.records, seed: SEED, until: DEMO_END };
  const items = drawKnownItems(readDemoDocuments(demo), size.items, SEED);
  const ours = await openOurs(
    {
      async fill(store) {
        await setTimeZone(store, 'Europe/Berlin');
        await fillGenerated(store, demo, now);
      },
    },
    now,
  );
  try {
    const figures: KnownItemFigures[] = [];
    for (const way of Object.keys(KNOWN_ITEM_WAYS) as KnownItemWay[]) {
      const { hits } = await ours.ask(items.map(({ questions }) => questions[way]));
      const missed = items.filter(({ id }, index) => !hits[index]?.slice(0, TOP).includes(id));
      figures.push({
        way,
        items: items.length,
        found: items.length - missed.length,
        missed: missed.slice(0, MAX_MISSED).map(({ id, questions }) => ({ id, question: questions[way] })),
      });
    }
    return figures;
  } finally {
    await ours.close();
  }
}

export function judgeKnownItems(figures: readonly KnownItemFigures[]): Verdict[] {
  return figures.map(({ way, items, found }) => ({
    isMet: found / items >= KNOWN_ITEM_WAYS[way],
    target: `${way}: in the first ${TOP} hits ${(KNOWN_ITEM_WAYS[way] * 100).toFixed(0)} times of 100`,
    measured: `${((found / items) * 100).toFixed(1)} (${found} of ${items})`,
  }));
}

export function renderKnownItems(figures: readonly KnownItemFigures[], verdicts: readonly Verdict[]): string {
  const missed = figures.flatMap(({ way, missed }) => missed.map(({ id, question }) => [way, question, id]));
  return [
    table(verdicts.map(({ isMet, target, measured }) => [isMet ? 'PASS' : 'MISS', target, measured])),
    ...(missed.length === 0 ? [] : [table([['missed', 'asked', 'record'], ...missed])]),
  ].join('\n\n');
}
