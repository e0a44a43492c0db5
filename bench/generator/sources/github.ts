import { githubDeclaration } from '../../../src/sources/github/github-declaration.ts';
import { createBatches, findHostileText } from '../batches.ts';
import type { Scene } from '../fill-template.ts';
import { createRandom, type Random } from '../random.ts';
import { orderTurns, planTalks, type Talk, type Turn } from '../talks.ts';
import { colleagues } from '../texts/people.ts';
import { issueLabels, type RepositoryRow, repositories, strangers } from '../texts/repositories.ts';
import { codeBlocks, errorLines } from '../texts/snippets.ts';
import { countYears, createTimeline, workHours, writeEmittedAt, writeIso } from '../timeline.ts';
import type { GeneratedLine, GeneratedSource } from '../types.ts';
import { createScene, writeFrom, writeLongText, writeText, writeTitle } from '../write-text.ts';

/** The first message is the issue itself, the others are its comments. */
interface Issue extends Talk {
  id: string;
  repository: RepositoryRow;
  number: number;
  scene: Scene;
}

const day = 86_400_000;
const sizes: [number, number][] = [
  [1, 25],
  [2, 25],
  [3, 20],
  [5, 16],
  [9, 8],
  [20, 2],
];
const LOGIN = 'nkeller';
const authors = [LOGIN, ...colleagues.map((person) => person.handle.replace('.', '-')), ...strangers];

export const github: GeneratedSource = {
  declaration: githubDeclaration,
  connections: [{ connection_id: 'github', connector_key: 'github', display_name: 'GitHub', self: [LOGIN] }],
  *generate({ records, seed, until }) {
    const random = createRandom(seed, 'github');
    const timeline = createTimeline(until, countYears(records, 500), workHours, true);
    const active = repositories.slice(0, Math.ceil(records / 8));
    const drawSize = () => random.weighted(sizes);
    const budget = records - active.length;
    const talks = planTalks(random, { timeline, budget, overhead: 0, drawSize, gap: day });
    const issues = createIssues(random, talks, active);
    const comments = orderTurns(issues).filter((turn) => turn.position > 0);
    yield* createBatches(
      'github',
      'repositories',
      active.map((row, index) => createRepositoryLine(row, index, timeline.start)),
    );
    yield* createBatches('github', 'issues', createIssueLines(random, issues, timeline.end));
    yield* createBatches('github', 'comments', createCommentLines(random, comments));
  },
};

function createRepositoryLine(row: RepositoryRow, index: number, start: number): GeneratedLine {
  const [id, description, language, topics, visibility, stars] = row;
  const at = start + index * 3_600_000;
  const name = id.slice(id.indexOf('/') + 1);
  const data = {
    id,
    name,
    description,
    language,
    visibility,
    stars,
    topics: topics.split(' '),
    created_at: writeIso(at),
  };
  return { key: id, data, emitted_at: writeEmittedAt(at) };
}

function createIssues(random: Random, talks: Talk[], active: RepositoryRow[]): Issue[] {
  const numbers = new Map<string, number>();
  return talks.map((talk) => {
    const repository = active[random.zipf(active.length)] as RepositoryRow;
    const number = (numbers.get(repository[0]) ?? 0) + 1;
    numbers.set(repository[0], number);
    const scene = createScene(random, random.pick(repository[3].split(' ')), 'en', 'work');
    return { ...talk, id: String(2_900_000_000 + talk.index * 37), repository, number, scene };
  });
}

function* createIssueLines(random: Random, issues: Issue[], end: number): Generator<GeneratedLine> {
  for (const issue of issues) {
    const { id, repository, number, scene, index, times } = issue;
    const at = times[0] as number;
    const closed = (times.at(-1) as number) + random.int(1, 20) * day;
    const isClosed = closed < end && random.chance(0.85);
    const data = {
      id,
      repository_id: repository[0],
      number,
      title: findHostileText(index, issues.length) ?? writeTitle(random, scene),
      body: random.chance(0.05) ? null : writeIssueBody(random, scene, index, issues.length),
      state: isClosed ? 'closed' : 'open',
      author: authors[random.zipf(authors.length)] as string,
      labels: random.chance(0.6) ? [random.pick(issueLabels)] : [],
      is_pull_request: random.chance(0.35),
      comment_count: times.length - 1,
      created_at: writeIso(at),
      closed_at: isClosed ? writeIso(closed) : null,
    };
    yield { key: id, data, emitted_at: writeEmittedAt(at) };
  }
}

function writeIssueBody(random: Random, scene: Scene, index: number, count: number): string {
  const text = writeText(random, scene, random.int(2, 4));
  // Somebody always pastes the whole log.
  if (count > 40 && index % Math.floor(count / 2) === 7)
    return `${text}\n\n${writeLongText(random, scene, 30_000)}`;
  if (random.chance(0.25)) return `${text}\n\n\`\`\`\n${writeFrom(random, errorLines, scene)}\n\`\`\``;
  return text;
}

function* createCommentLines(random: Random, turns: Turn<Issue>[]): Generator<GeneratedLine> {
  for (let index = 0; index < turns.length; index++) {
    const { talk: issue, at } = turns[index] as Turn<Issue>;
    const text = writeText(random, issue.scene, random.int(1, 4));
    // Beyond what a number can hold, on purpose.
    const id = `9007199${254_740_993 + index * 17}`;
    const data = {
      id,
      issue_id: issue.id,
      author: authors[random.zipf(authors.length)] as string,
      body: random.chance(0.08) ? `${text}\n\n${random.pick(codeBlocks)}` : text,
      created_at: writeIso(at),
      reactions: { thumbs_up: random.zipf(6), heart: random.zipf(3), rocket: random.zipf(2) },
    };
    yield { key: id, data, emitted_at: writeEmittedAt(at) };
  }
}
