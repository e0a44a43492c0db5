import MiniSearch from 'minisearch';
import { DEPTH, type Engine, type JudgedDocument } from '../collection.ts';

/** MiniSearch as it comes, but for titles that count double. */
export function openMiniSearch(documents: readonly JudgedDocument[]): Engine {
  const index = new MiniSearch<JudgedDocument>({ fields: ['title', 'text'] });
  index.addAll(documents);
  const find = (question: string) =>
    index
      .search(question, { boost: { title: 2 } })
      .slice(0, DEPTH)
      .map(({ id }) => id as string);
  return {
    name: 'MiniSearch',
    async ask(questions) {
      const started = performance.now();
      const hits = questions.map(find);
      return { hits, milliseconds: performance.now() - started };
    },
    async close() {},
  };
}
