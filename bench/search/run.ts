import { listCollections } from './collections.ts';
import { type Evaluation, evaluate } from './evaluate.ts';
import { judge, type Verdict } from './judge.ts';
import { judgeKnownItems, measureKnownItems, renderKnownItems } from './known-item.ts';
import { readSearchOptions } from './options.ts';
import { renderEvaluations } from './report.ts';

/** The clock of every run: what is recent does not depend on the day it is measured. */
const NOW = new Date('2026-11-16T12:00:00Z');

const options = readSearchOptions(process.argv.slice(2));
const verdicts = options.knownItem ? await runKnownItems() : await runCollections();
if (verdicts.some(({ isMet }) => !isMet)) process.exitCode = 1;

async function runKnownItems(): Promise<Verdict[]> {
  const figures = await measureKnownItems({ items: 500, records: 20_000 }, NOW);
  const verdicts = judgeKnownItems(figures);
  console.log(
    options.json ? JSON.stringify({ figures, verdicts }, null, 2) : renderKnownItems(figures, verdicts),
  );
  return verdicts;
}

async function runCollections(): Promise<Verdict[]> {
  const evaluations: Evaluation[] = [];
  for (const { name, load } of listCollections(NOW)) {
    if (options.collections !== undefined && !options.collections.includes(name)) continue;
    console.error(`asking ${name}`);
    evaluations.push(await evaluate(load(), options.misspell, NOW));
  }
  const verdicts = evaluations.flatMap(judge);
  const plain = evaluations.map((one) => ({
    ...one,
    kinds: Object.fromEntries(one.kinds),
    rows: one.rows.map((row) => ({ ...row, kinds: Object.fromEntries(row.kinds) })),
  }));
  console.log(
    options.json
      ? JSON.stringify({ evaluations: plain, verdicts }, null, 2)
      : renderEvaluations(evaluations, verdicts),
  );
  return verdicts;
}
