import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openSqlite } from '../../src/store/sqlite/sqlite.ts';
import { openFloor } from '../floor.ts';
import { loadMeasured, saveMeasured } from '../measured.ts';
import { outDirectory, readNumber, readOptions } from '../options.ts';
import { ensureStore, withGrant } from '../store.ts';
import { renderTargets } from '../targets.ts';
import { writeDocs } from '../write-docs.ts';
import { ensureTables } from './export-tables.ts';
import { installPeers } from './install.ts';
import { measureQuestion, type QuestionFigures } from './measure-peers.ts';
import { createQuestions } from './questions.ts';
import { listDocsTables, renderPeers } from './report-peers.ts';
import { startSides } from './servers.ts';

/** Measures pdpp beside servers that give a model SQL over the same records. `--docs` writes the tables of the performance pages. */
const root = join(import.meta.dirname, '../..');
const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '2' },
    seconds: { type: 'string', default: '1' },
    only: { type: 'string' },
    docs: { type: 'boolean', default: false },
  },
});
const options = readOptions(['--records', values.records, '--rounds', values.rounds]);
const pace = { rounds: options.rounds, seconds: readNumber('seconds', values.seconds, 0.05) };
const only = values.only?.split(',');

mkdirSync(outDirectory, { recursive: true });
installPeers();
execFileSync('npm', ['run', '-s', 'build'], { stdio: 'inherit', cwd: root });
await ensureStore(options);
const tables = ensureTables(options.directory);
const databases = [openFloor(options.directory), openSqlite(tables, 'read')] as const;
const questions = createQuestions(...databases).filter(({ id }) => only?.includes(id) ?? true);
for (const one of databases) one.close();
const figures = await withGrant(options.directory, async (token) => {
  const sides = await startSides(options.directory, tables, token);
  try {
    const measured: QuestionFigures[] = [];
    for (const question of questions) {
      console.error(question.title);
      measured.push(await measureQuestion(question, sides, pace));
    }
    return { records: options.records, questions: measured };
  } finally {
    await Promise.all(sides.map((side) => side.stop()));
  }
});
console.log(renderPeers(figures));
if (only === undefined) {
  saveMeasured('peers', figures);
  console.log(`\n${renderTargets(loadMeasured())}`);
  if (values.docs) {
    const { perSecond, all } = listDocsTables(figures);
    writeDocs({ 'calls-per-second': perSecond, peers: all });
  }
}
