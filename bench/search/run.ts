import { listCollections } from './collections.ts';
import { type Evaluation, evaluate } from './evaluate.ts';
import { judge, type Verdict } from './judge.ts';
import { judgeKnownItems, measureKnownItems, renderKnownItems } from './known-item.ts';
import { judgeMeaning, MEANING_SETS, measureMeaning, renderMeaning } from './meaning.ts';
import { readSearchOptions } from './options.ts';
import { renderEvaluations } from './report.ts';
import { judgeWordingsCost, measureWordingsCost } from './wordings-cost.ts';

/** The fixed clock of every run, so that recency does not depend on the date. */
const NOW = new Date('2026-11-16T12:00:00Z');

const options = readSearchOptions(process.argv.slice(2));
const verdicts = options.knownItem
  ? await runKnownItems()
  : options.meaning
    ? await runMeaning()
    : await runCollections();
if (verdicts.some(({ isMet }) => !isMet)) process.exitCode = 1;

async function runKnownItems(): Promise<Verdict[]> {
  const figures = await measureKnownItems({ items: 500, records: 20_000 }, NOW);
  const verdicts = judgeKnownItems(figures);
  console.log(
    options.json ? JSON.stringify({ figures, verdicts }, null, 2) : renderKnownItems(figures, verdicts),
  );
  return verdicts;
}

async function runMeaning(): Promise<Verdict[]> {
  const figures = [];
  for (const set of MEANING_SETS) figures.push(await measureMeaning(set, NOW));
  const cost = await measureWordingsCost(NOW);
  const verdicts = [...judgeMeaning(figures), judgeWordingsCost(cost)];
  console.log(
    options.json ? JSON.stringify({ figures, cost, verdicts }, null, 2) : renderMeaning(figures, verdicts),
  );
  return verdicts;
}

async function runCollections(): Promise<Verdict[]> {
  const all = listCollections(NOW);
  const wanted = options.collections ?? all.map(({ name }) => name);
  const unknown = wanted.find((name) => !all.some((one) => one.name === name));
  if (unknown !== undefined) throw new Error(`there is no collection ${unknown}`);
  const evaluations: Evaluation[] = [];
  for (const { name, load } of all.filter((one) => wanted.includes(one.name))) {
    console.error(`asking ${name}`);
    evaluations.push(await evaluate(load(), options, NOW));
  }
  const verdicts = evaluations.flatMap(judge);
  console.log(
    options.json
      ? JSON.stringify({ evaluations, verdicts }, spellOut, 2)
      : renderEvaluations(evaluations, verdicts, options.worst),
  );
  return verdicts;
}

function spellOut(_: string, value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries(value);
  return value instanceof Set ? [...value] : value;
}
