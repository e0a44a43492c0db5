import Database from 'better-sqlite3';
import { DEPTH, type Engine, type JudgedDocument } from '../collection.ts';
import { distinctWords } from '../words.ts';

/** SQLite's own ranking over the whole index, which is what it leaks by. Any word of the question will do. */
export function openFts5(documents: readonly JudgedDocument[], tokenizer: 'unicode61' | 'porter'): Engine {
  const db = new Database(':memory:');
  db.exec(`create virtual table t using fts5 (id unindexed, title, text, tokenize = '${tokenizer}')`);
  const insert = db.prepare('insert into t values (?, ?, ?)');
  db.transaction(() => {
    for (const { id, title, text } of documents) insert.run(id, title, text);
  })();
  const select = db
    .prepare(`select id from t where t match ? order by bm25(t, 0, 2, 1) limit ${DEPTH}`)
    .pluck();
  const find = (question: string): string[] => {
    const words = distinctWords(question);
    return words.length === 0 ? [] : (select.all(words.map((word) => `"${word}"`).join(' OR ')) as string[]);
  };
  return {
    name: tokenizer === 'porter' ? 'FTS5 bm25, porter' : 'FTS5 bm25, any word',
    async ask(questions) {
      const started = performance.now();
      const hits = questions.map(find);
      return { hits, milliseconds: performance.now() - started };
    },
    async close() {
      db.close();
    },
  };
}
