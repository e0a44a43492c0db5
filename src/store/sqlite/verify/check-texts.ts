import type Database from 'better-sqlite3';
import { matchWord } from '../../../words/match-terms.ts';
import { TEXT_COLUMNS } from '../../scope.ts';
import type { Problems } from '../check/finding.ts';
import { Sqlite } from '../folder/database-module.ts';
import { writeExpression } from '../reads/search/match-sql.ts';

/** Compares the texts of some records with the index. */
export type SampleTexts = (rid: number, texts: readonly string[], name: string) => void;

const MAX_WORDS = 100;
const columns = Array.from({ length: TEXT_COLUMNS }, (_, i) => `c${i}`);

/**
 * The index stores no texts, so a record cannot be read back. Instead one in `oneIn` records is indexed alone by the
 * same tokenizer: it must have as many words in each column, and its words must find it.
 */
export function createTextSampler(
  raw: Database.Database,
  oneIn: number,
  problems: Problems,
): { sample: SampleTexts; close(): void } {
  const alone = new Sqlite(':memory:');
  alone.exec(String(raw.prepare(`select sql from sqlite_master where name = 'texts'`).pluck().get()));
  alone.exec('create virtual table alone using fts5vocab (texts, instance)');
  const clear = alone.prepare(`insert into texts (texts) values ('delete-all')`);
  const add = alone.prepare(
    `insert into texts (rowid, ${columns.join(', ')}) values (1, ${columns.map(() => '?').join(', ')})`,
  );
  const words = alone.prepare(`select distinct term, col from alone limit ${MAX_WORDS}`).raw();
  const expectedSize = alone.prepare('select sz from texts_docsize where id = 1').pluck();
  const storedSize = raw.prepare('select sz from texts_docsize where id = ?').pluck();
  const find = raw.prepare('select 1 from texts where texts match ? and rowid = ?').pluck();
  let seen = 0;
  return {
    sample(rid, texts, name) {
      seen += 1;
      if ((seen - 1) % oneIn !== 0) return;
      clear.run();
      add.run(...texts);
      const sizes = [storedSize.get(rid), expectedSize.get()] as [Uint8Array, Uint8Array];
      const isWhole = (words.all() as [string, string][]).every(
        ([term, column]) =>
          find.get(writeExpression(matchWord(term), [columns.indexOf(column)]), rid) !== undefined,
      );
      if (Buffer.compare(...sizes) !== 0 || !isWhole)
        problems.add('records whose indexed words disagree with their text', name);
    },
    close: () => alone.close(),
  };
}
