import type { Collection, Engine, Question } from './collection.ts';
import { openFts5 } from './engines/fts5.ts';
import { openMiniSearch } from './engines/mini-search.ts';
import { OUR_NAMES, openOurs } from './engines/ours.ts';
import { openPostgres } from './engines/postgres.ts';
import { measureAnswer, measureAnswers, type Quality } from './measures.ts';
import { misspellQuestion } from './misspell.ts';
import type { SearchOptions } from './options.ts';

/** An engine's answer to one query. */
export interface Answer {
  readonly question: Question;
  readonly hits: readonly string[];
  readonly quality: Quality;
}

/** The result of one engine on one collection; without figures if it could not run. */
export interface Row {
  readonly engine: string;
  readonly quality: Quality | undefined;
  readonly milliseconds: number;
  readonly kinds: ReadonlyMap<string, Quality>;
  readonly answers: readonly Answer[];
}

export interface Evaluation {
  readonly collection: string;
  readonly documents: number;
  readonly questions: number;
  /** How many questions each kind has. */
  readonly kinds: ReadonlyMap<string, number>;
  readonly rows: readonly Row[];
}

export const OURS = OUR_NAMES.sqlite;
const MISSPELT = ', a third misspelt';
export const OURS_MISSPELT = `${OURS}${MISSPELT}`;
export const OURS_ON_POSTGRES = OUR_NAMES.postgres;
export const OURS_ON_POSTGRES_MISSPELT = `${OURS_ON_POSTGRES}${MISSPELT}`;
export const BASELINE = 'FTS5 bm25, porter';

/** Runs all queries of a collection on every engine, and on ours again with a third of the words misspelled. */
export async function evaluate(
  collection: Collection,
  { misspell, engine: ourEngine }: Pick<SearchOptions, 'misspell' | 'engine'>,
  now: Date,
): Promise<Evaluation> {
  const { documents } = collection;
  const questions = misspell ? collection.questions.map(misspelt) : collection.questions;
  const rows: Row[] = [];
  const run = async (open: () => Engine | Promise<Engine>) => {
    const engine = await open();
    try {
      rows.push(await askAll(engine, questions));
      const isOurs = Object.values<string>(OUR_NAMES).includes(engine.name);
      if (isOurs && !misspell) {
        const asked = await askAll(engine, questions.map(misspelt));
        rows.push({ ...asked, engine: `${engine.name}${MISSPELT}` });
      }
    } finally {
      await engine.close();
    }
  };
  await run(() => openFts5(documents, 'unicode61'));
  await run(() => openFts5(documents, 'porter'));
  await run(() => openMiniSearch(documents));
  const postgres = await openPostgres(documents);
  if (postgres !== undefined) await run(() => postgres);
  else rows.push(notRun('PostgreSQL ts_rank_cd'));
  await run(() => openOurs(collection, now));
  if (ourEngine === 'postgres') await run(() => openOurs(collection, now, 'postgres'));
  return {
    collection: collection.name,
    documents: documents.length,
    questions: questions.length,
    kinds: countKinds(questions),
    rows,
  };
}

export async function askAll(engine: Engine, questions: readonly Question[]): Promise<Row> {
  const { hits, milliseconds } = await engine.ask(questions.map(({ text }) => text));
  const kinds = [...countKinds(questions).keys()].map((kind) => {
    const places = questions.flatMap((question, place) => (question.kind === kind ? [place] : []));
    const some = places.map((place) => questions[place] as Question);
    const found = places.map((place) => hits[place] as string[]);
    return [kind, measureAnswers(some, found)] as const;
  });
  return {
    engine: engine.name,
    quality: measureAnswers(questions, hits),
    milliseconds: milliseconds / questions.length,
    kinds: new Map(kinds),
    answers: questions.map((question, place) => {
      const found = hits[place] as string[];
      return { question, hits: found, quality: measureAnswer(found, question.relevant) };
    }),
  };
}

const notRun = (engine: string): Row => ({
  engine,
  quality: undefined,
  milliseconds: 0,
  kinds: new Map(),
  answers: [],
});
const misspelt = (question: Question): Question => ({ ...question, text: misspellQuestion(question.text) });

function countKinds(questions: readonly Question[]): Map<string, number> {
  const kinds = new Map<string, number>();
  for (const { kind } of questions) if (kind !== undefined) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  return new Map([...kinds].sort(([a], [b]) => (a < b ? -1 : 1)));
}
