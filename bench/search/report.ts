import { table } from '../table.ts';
import { BASELINE, type Evaluation, OURS, OURS_MISSPELT, type Row } from './evaluate.ts';
import { COLUMNS, type Verdict } from './judge.ts';
import type { Quality } from './measures.ts';

const FIGURES = Object.keys(COLUMNS) as (keyof Quality)[];

export function renderEvaluations(
  evaluations: readonly Evaluation[],
  verdicts: readonly Verdict[],
  worst: number,
): string {
  const head = ['collection', 'engine', ...Object.values(COLUMNS), 'x porter', '', '', 'ms a question'];
  const kinds = evaluations.filter((one) => one.kinds.size > 0).map(renderKinds);
  return [
    table([head, ...evaluations.flatMap(renderRows)]),
    'x porter: recall@10, MRR and nDCG@10 over those of FTS5 bm25 with porter stems. Ours is timed with HTTP routing, grant and audit.',
    ...kinds,
    ...(worst > 0 ? evaluations.map((one) => renderWorst(one, worst)) : []),
    table(verdicts.map(({ isMet, target, measured }) => [isMet ? 'PASS' : 'MISS', target, measured])),
  ].join('\n\n');
}

function renderRows(evaluation: Evaluation): string[][] {
  const { collection, documents, questions, rows } = evaluation;
  const baseline = findRow(rows, BASELINE)?.quality;
  return rows.map(({ engine, quality, milliseconds }, index) => [
    index === 0 ? `${collection} (${documents.toLocaleString('en')}, ${questions})` : '',
    engine === OURS_MISSPELT ? `${engine} (${leftOf(quality, rows)} of nDCG)` : engine,
    ...(quality === undefined
      ? ['not run', ...Array(FIGURES.length * 2).fill('')]
      : [
          ...figuresOf(quality),
          ...FIGURES.map((figure) => ratioOf(quality, baseline, figure)),
          milliseconds.toFixed(1),
        ]),
  ]);
}

/** A line per kind of question: ours in full, what misspelling leaves of it, and the others' nDCG beside it. */
function renderKinds({ collection, kinds, rows }: Evaluation): string {
  const others = rows.filter(({ engine, quality }) => !engine.startsWith(OURS) && quality !== undefined);
  const head = [
    `${collection}, by kind`,
    'questions',
    ...Object.values(COLUMNS),
    'misspelt',
    'x porter',
    ...others.map(({ engine }) => engine),
  ];
  const ndcg = (engine: string, kind: string) =>
    findRow(rows, engine)?.kinds.get(kind)?.ndcg.toFixed(3) ?? '-';
  const lines = [...kinds].map(([kind, count]) => {
    const ours = findRow(rows, OURS)?.kinds.get(kind);
    return [
      kind,
      String(count),
      ...(ours === undefined ? FIGURES.map(() => '-') : figuresOf(ours)),
      ndcg(OURS_MISSPELT, kind),
      ours === undefined ? '-' : ratioOf(ours, findRow(rows, BASELINE)?.kinds.get(kind), 'ndcg'),
      ...others.map(({ engine }) => ndcg(engine, kind)),
    ];
  });
  return `${table([head, ...lines])}\nmisspelt, and all columns after x porter: nDCG@10.`;
}

/** The questions that ours did worst on: what was asked, what answers, and what came. */
function renderWorst({ collection, rows }: Evaluation, count: number): string {
  const answers = findRow(rows, OURS)?.answers ?? [];
  const lines = answers
    .toSorted((a, b) => a.quality.ndcg - b.quality.ndcg)
    .slice(0, count)
    .map(({ question, hits, quality }) => [
      quality.ndcg.toFixed(3),
      question.kind ?? '',
      question.text.slice(0, 80),
      [...question.relevant].slice(0, 3).join(' '),
      hits.slice(0, 3).join(' '),
    ]);
  return table([[`${collection}, worst`, 'kind', 'asked', 'answers', 'came'], ...lines]);
}

function findRow(rows: readonly Row[], engine: string): Row | undefined {
  return rows.find((row) => row.engine === engine);
}

function leftOf(misspelt: Quality | undefined, rows: readonly Row[]): string {
  return misspelt === undefined ? '-' : ratioOf(misspelt, findRow(rows, OURS)?.quality, 'ndcg');
}

const figuresOf = (quality: Quality) => FIGURES.map((figure) => quality[figure].toFixed(3));

function ratioOf(quality: Quality, baseline: Quality | undefined, figure: keyof Quality): string {
  if (baseline === undefined || baseline[figure] === 0) return '-';
  return (quality[figure] / baseline[figure]).toFixed(2);
}
