import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { createExampleWorld } from '../support/worlds/example-world.ts';

/** The parts of the five answers that are checked here. */
interface Answer {
  data: unknown[] & { total: number };
  results: unknown[];
  text: string;
}

type CallTool = (name: string, args: object) => Promise<{ isError?: boolean; structuredContent: Answer }>;

interface Row {
  system: string;
  there: string;
  calls: Array<{ tool: string; arguments: Record<string, unknown> }>;
}

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

/** Each read of the other systems, with the calls that do the same here. */
const rows: Row[] = read('other-systems.jsonl')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));

const page = read('../../docs/from-other-systems.md');
const examples = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = '']) =>
  JSON.stringify(JSON.parse(json)),
);

/** Measures how much an answer contains. Every row promises a result. */
function measureAnswer(tool: string, answer: Answer): number {
  switch (tool) {
    case 'query_records':
      return answer.data.length;
    case 'aggregate':
      return answer.data.total;
    case 'search':
      return answer.results.length;
    case 'fetch':
      return answer.text.length;
    case 'schema':
      return Object.keys(answer.data).length;
    default:
      throw new Error(`${tool} is not one of the five tools.`);
  }
}

describe('docs/from-other-systems.md', () => {
  let call: CallTool;
  beforeAll(async () => {
    const world = await createExampleWorld();
    call = (name, args) => world.call(world.token, name, args);
  });

  it.each(rows)('$system $there', async ({ calls }) => {
    for (const { tool, arguments: args } of calls) {
      const { isError, structuredContent } = await call(tool, args);
      expect(isError ?? false, JSON.stringify(structuredContent)).toBe(false);
      expect(measureAnswer(tool, structuredContent), JSON.stringify(args)).toBeGreaterThan(0);
    }
  });

  it('shows one example per system, each of the rows', () => {
    const calls = rows.flatMap((row) => row.calls.map((one) => JSON.stringify(one)));
    expect(examples).toHaveLength(4);
    expect(examples.filter((example) => !calls.includes(example))).toEqual([]);
  });

  it('names the number of reads', () => {
    expect(page).toContain(`Each of their ${rows.length} reads`);
  });

  it.each([
    ['Foundry', 'list_pages list_annotations get_annotation list_reviews get_review search_docs'],
    [
      'foundry-mcp',
      `health:liveness,readiness,check
       spec:find,get,list,validate,stats,analyze,analyze-deps,schema,diff,history,completeness-check,duplicate-detection
       task:prepare,prepare-batch,next,info,check-deps,list-blocked,progress,list,query,hierarchy
       task:session-config,session-events
       authoring:spec-template,assumption-list,constraint-list,risk-list,question-list,success-criteria-list
       lifecycle:state plan:list review:parse-feedback,list-tools,list-plan-tools journal:list,list-unjournaled
       provider:list,status environment:verify-env,verify-toolchain,detect error:list,get,stats,patterns
       research:deep-research-list,deep-research-status,deep-research-report,thread-list,thread-get
       research:node-status,node-findings server:tools,schema,capabilities,context,llm-status`,
    ],
    ['Harmonic', 'navigate'],
    [
      'Agor',
      `agor_sessions_list agor_sessions_get agor_sessions_get_current agor_worktrees_list agor_worktrees_get
       agor_boards_list agor_boards_get agor_tasks_list agor_tasks_get
       agor.session.genealogy agor.session.search agor.user.get`,
    ],
  ])('has a row for every reading tool of %s', (system, names) => {
    const covered = rows.filter((row) => row.system === system).map((row) => row.there);
    const expected = names.split(/\s+/).flatMap((name) => {
      const [tool, actions] = name.split(':');
      return actions === undefined ? [name] : actions.split(',').map((action) => `${tool} ${action}`);
    });
    const missing = expected.filter((name) => !covered.some((there) => there.includes(`\`${name}`)));
    expect(missing).toEqual([]);
  });
});
