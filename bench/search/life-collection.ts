import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Collection } from './collection.ts';
import { KINDS } from './kinds.ts';
import { idOfPaper, type Paper, storePapers } from './papers.ts';
import { parseLines } from './parse-lines.ts';

const FOLDER = join(import.meta.dirname, 'life');

export const paper = z.strictObject({
  stream: z.string(),
  key: z.string(),
  at: z.string(),
  author: z.string(),
  title: z.string(),
  text: z.string(),
});
const question = z.strictObject({
  id: z.string(),
  kind: z.enum(KINDS),
  text: z.string(),
  /** Keys of the documents that answer, judged by reading them. */
  relevant: z.array(z.string()).min(1),
});

/** Mails, notes, chats, events and payments of one person in nine languages, written and judged by hand. */
export function loadLifeCollection(now: Date): Collection {
  const papers = readLifePapers();
  const ids = new Map(papers.map((one) => [one.key, idOfPaper(one)]));
  const getId = (key: string) => {
    const id = ids.get(key);
    if (id === undefined) throw new Error(`a question names ${key}, which is no document`);
    return id;
  };
  return {
    name: 'life',
    documents: papers.map((one) => ({
      id: idOfPaper(one),
      title: one.title,
      // People are asked for by name, so the others see the author too.
      text: `${one.author}\n${one.text}`,
    })),
    questions: readAll('questions', question).map(({ relevant, ...rest }) => ({
      ...rest,
      relevant: new Set(relevant.map(getId)),
    })),
    fill: (store) => storePapers(store, papers, now),
  };
}

export const readLifePapers = (): Paper[] => readAll('documents', paper);

/** The lines of one file per language, by the name of the language. */
function readAll<T>(folder: string, shape: z.ZodType<T>): T[] {
  return readdirSync(join(FOLDER, folder))
    .sort()
    .flatMap((file) => parseLines(readFileSync(join(FOLDER, folder, file), 'utf8'), shape));
}
