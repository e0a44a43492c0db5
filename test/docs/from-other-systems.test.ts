import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { createExampleWorld } from '../support/worlds/example-world.ts';

/** As much of the five answers as is looked at here. */
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

const page = readFileSync(new URL('../../docs/from-other-systems.md', import.meta.url), 'utf8');
const rows = parseRows(page);

/** Table rows with the calls in their code spans; the heading above a table names the system. */
function parseRows(markdown: string): Row[] {
  let system = '';
  return markdown.split('\n').flatMap((line) => {
    if (line.startsWith('## ')) system = line.slice(3).trim();
    const cells = line.startsWith('| ') ? line.split('|').map((cell) => cell.trim()) : [];
    const spans = [...(cells[2] ?? '').matchAll(/`(\{[^`]+\})`/g)].map((match) => match[1] as string);
    return spans.length === 0
      ? []
      : [{ system, there: cells[1] as string, calls: spans.map((span) => JSON.parse(span)) }];
  });
}

/** How much an answer holds. Every row of the page promises something that is there. */
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
      throw new Error(`The page calls ${tool}, which is not one of the five tools.`);
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
