import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { chooseStemmers, createFormTest } from '../../src/words/stem.ts';
import { findLanguages, isStopWord } from '../../src/words/stop-words.ts';
import { readTokens } from '../../src/words/tokens.ts';
import { table } from '../table.ts';
import { openServer } from './engines/ours.ts';
import type { Verdict } from './judge.ts';
import { paper, readLifePapers } from './life-collection.ts';
import { idOfPaper, type Paper, storePapers } from './papers.ts';
import { parseLines } from './parse-lines.ts';

const FOLDER = join(import.meta.dirname, 'meaning');

const question = z.strictObject({
  id: z.string(),
  topic: z.string(),
  text: z.string(),
  also: z.array(z.string()).min(1).max(5),
  /** Keys of the records that answer it, judged after the wordings were written. */
  relevant: z.array(z.string()).min(1),
});
type MeaningQuestion = z.infer<typeof question>;

/** The two sets; see meaning/README.md for how they were written. */
export const MEANING_SETS = ['plain', 'oblique'] as const;
export type MeaningSet = (typeof MEANING_SETS)[number];

const FILES: Record<MeaningSet, string> = { plain: '', oblique: 'oblique-' };

/** How many of the questions are found among the first ten hits, and which are not. */
export interface MeaningFigures {
  readonly set: MeaningSet;
  readonly questions: number;
  readonly records: number;
  readonly foundAlone: number;
  readonly foundWithAlso: number;
  readonly missed: readonly string[];
}

/** Asks questions that share no word with the records that answer them, alone and with their other wordings. */
export async function measureMeaning(set: MeaningSet, now: Date): Promise<MeaningFigures> {
  const papers = [...readLifePapers(), ...readSet(set, 'records', paper)];
  const questions = readSet(set, 'questions', question);
  const server = await openServer({ fill: (store) => storePapers(store, papers, now) }, now);
  const missed: string[] = [];
  let foundAlone = 0;
  for (const one of questions) {
    const relevant = new Set(relevantPapers(one, papers).map(idOfPaper));
    const isFound = (hits: readonly string[]) => hits.some((id) => relevant.has(id));
    if (isFound(await server.find(one.text))) foundAlone += 1;
    if (!isFound(await server.find(one.text, one.also))) missed.push(one.topic);
  }
  await server.close();
  return {
    set,
    questions: questions.length,
    records: papers.length,
    foundAlone,
    foundWithAlso: questions.length - missed.length,
    missed,
  };
}

/** The records that answer a question and share no word with it. */
function relevantPapers({ id, text, relevant }: MeaningQuestion, papers: readonly Paper[]): Paper[] {
  const found = papers.filter((one) => relevant.includes(one.key) && !sharesWord(text, one));
  if (found.length === 0) throw new Error(`question ${id} shares a word with each record that answers it`);
  return found;
}

/** Whether a record has a word of the question in any form; words that only ask do not count. */
function sharesWord(text: string, { title, author, text: body }: Paper): boolean {
  const asked = [...readTokens(text)].map(({ word }) => word);
  const languages = findLanguages(asked);
  const words = [...readTokens(`${title}\n${author}\n${body}`)].map(({ word }) => word);
  return asked
    .filter((word) => !isStopWord(word, languages))
    .some((word) => {
      const isForm = createFormTest(word, chooseStemmers(word, languages));
      return words.some((other) => other === word || isForm(other));
    });
}

function readSet<T>(set: MeaningSet, name: string, shape: z.ZodType<T>): T[] {
  return parseLines(readFileSync(join(FOLDER, `${FILES[set]}${name}.ndjson`), 'utf8'), shape);
}

/** What must be found of the plain set. */
const FOUND_AT_LEAST = 30;

export function judgeMeaning(figures: readonly MeaningFigures[]): Verdict[] {
  return figures
    .filter(({ set }) => set === 'plain')
    .map(({ foundWithAlso, questions }) => ({
      isMet: foundWithAlso >= FOUND_AT_LEAST,
      target: `at least ${FOUND_AT_LEAST} of 40 questions without a shared word are found with also`,
      measured: `${foundWithAlso} of ${questions}`,
    }));
}

export function renderMeaning(figures: readonly MeaningFigures[], verdicts: readonly Verdict[]): string {
  const head = ['set', 'questions', 'records', 'found', 'found with also', 'not found'];
  const rows = figures.map((one) => [
    one.set,
    String(one.questions),
    String(one.records),
    String(one.foundAlone),
    String(one.foundWithAlso),
    one.missed.join(', '),
  ]);
  return [
    table([head, ...rows]),
    table(verdicts.map(({ isMet, target, measured }) => [isMet ? 'PASS' : 'MISS', target, measured])),
  ].join('\n\n');
}
