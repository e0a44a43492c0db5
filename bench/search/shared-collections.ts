import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Collection } from './collection.ts';
import { idOfPaper, storePapers } from './papers.ts';
import { parseLines } from './parse-lines.ts';

const SHARED = join(import.meta.dirname, '..', '..', '..', 'shared', 'ir');
const FILES = ['docs.ndjson', 'queries.ndjson', 'qrels.tsv'];
const STREAM = 'documents';

const document = z.object({ id: z.string(), title: z.string(), author: z.string(), text: z.string() });
const query = z.object({ id: z.string(), text: z.string() });

/** Names of the public collections that lie beside the project; none where there is no such folder. */
export function findSharedCollections(folder = SHARED): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => FILES.every((file) => existsSync(join(folder, name, file))))
    .sort();
}

/** A public collection. Questions that nobody judged say nothing and are left out. */
export function loadSharedCollection(name: string, now: Date, folder = SHARED): Collection {
  const read = (file: string) => readFileSync(join(folder, name, file), 'utf8');
  const papers = parseLines(read('docs.ndjson'), document).map(({ id, ...rest }) => ({
    stream: STREAM,
    key: id,
    ...rest,
  }));
  const judgements = new Map<string, Set<string>>();
  for (const line of read('qrels.tsv').split('\n')) {
    const [question, key] = line.trim().split('\t');
    if (question === undefined || key === undefined) continue;
    const known = judgements.get(question) ?? new Set();
    judgements.set(question, known.add(idOfPaper({ stream: STREAM, key })));
  }
  return {
    name,
    // The author is left out of what the others get, because the published baselines are without.
    documents: papers.map((paper) => ({ id: idOfPaper(paper), title: paper.title, text: paper.text })),
    questions: parseLines(read('queries.ndjson'), query).flatMap(({ id, text }) => {
      const relevant = judgements.get(id);
      return relevant === undefined ? [] : [{ id, text, relevant }];
    }),
    fill: (store) => storePapers(store, papers, now),
  };
}
