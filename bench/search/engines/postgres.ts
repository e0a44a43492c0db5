import { spawnSync } from 'node:child_process';
import { DEPTH, type Engine, type JudgedDocument } from '../collection.ts';
import { startPostgres } from './postgres-server.ts';

/** Titles count double here too; where a weight is not named, D stands first. */
const WEIGHTS = '{0.5, 0.5, 0.5, 1}';
const MARK = 'question';

/**
 * PostgreSQL's cover density ranking with English stems, any word of the question; nothing where its programs are
 * not installed. It is asked through `psql`, so that a comparison needs no driver.
 */
export async function openPostgres(documents: readonly JudgedDocument[]): Promise<Engine | undefined> {
  const server = await startPostgres();
  if (server === undefined) return undefined;
  const run = (script: string): string => {
    const { status, stdout, stderr } = spawnSync(
      'psql',
      ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-h', server.socket, '-U', server.user, 'postgres'],
      { input: script, encoding: 'utf8', maxBuffer: 2 ** 28 },
    );
    if (status !== 0) throw new Error(`psql: ${stderr}`);
    return stdout;
  };
  run(`create table t (id text, words tsvector);
    ${documents.map(insertDocument).join('\n')}
    create index on t using gin (words); analyze t;`);
  return {
    name: 'PostgreSQL ts_rank_cd',
    async ask(questions) {
      const answers = run(`\\timing on\n${questions.map(selectHits).join('\n')}`)
        .split(`${MARK}\n`)
        .slice(1);
      const lines = answers.map((answer) => answer.split('\n').filter((line) => line !== ''));
      const times = lines.map((one) => Number(/^Time: ([\d.]+) ms/.exec(one.at(-1) ?? '')?.[1]));
      return {
        hits: lines.map((one) => one.slice(0, -1)),
        milliseconds: times.reduce((sum, time) => sum + time, 0),
      };
    },
    close: server.stop,
  };
}

function insertDocument({ id, title, text }: JudgedDocument): string {
  const vector = (value: string, weight: string) =>
    `setweight(to_tsvector('english', ${quote(value)}), '${weight}')`;
  return `insert into t values (${quote(id)}, ${vector(title, 'A')} || ${vector(text, 'D')});`;
}

function selectHits(question: string): string {
  const query = `replace(plainto_tsquery('english', ${quote(question)})::text, '&', '|')::tsquery`;
  return `\\echo ${MARK}
    select id from t, (select ${query} as q) as asked where words @@ q
    order by ts_rank_cd('${WEIGHTS}', words, q) desc, id limit ${DEPTH};`;
}

const quote = (value: string) => `'${value.replaceAll('\0', '').replaceAll("'", "''")}'`;
