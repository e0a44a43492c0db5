import { foundryMcpStreams } from '../team/foundry-mcp-declaration.ts';
import type { Desk } from './foundry-mcp-desk.ts';
import { addPapers } from './foundry-mcp-papers.ts';
import { describeRuntime } from './foundry-mcp-runtime.ts';
import { addTasks } from './foundry-mcp-tasks.ts';
import { at, createId, createTeamTool, repeat } from './team-tool.ts';
import { features, people } from './waypoint-team.ts';

/** The first three are what documentation refers to: one under way, one under way, one done. */
const statuses = ['active', 'active', 'completed', 'pending', 'archived', 'active'] as const;

/** Specifications with phases, tasks and a journal, and the papers and runs around them. */
export const foundryMcp = createTeamTool({
  key: 'foundry_mcp',
  name: 'foundry-mcp',
  streams: foundryMcpStreams,
  write(random, size) {
    const desk: Desk = {
      specs: [],
      phases: [],
      tasks: [],
      journal_entries: [],
      spec_notes: [],
      spec_revisions: [],
      plans: [],
      spec_reviews: [],
    };
    for (let index = 0; index < 6 * size; index++) {
      const feature = repeat(features, index);
      const status = repeat(statuses, index);
      const spec = { id: createId('spec', index), status, feature, day: index * 6 };
      const progress = addTasks(desk, random, spec);
      // A specification without a plan is allowed, and a check says so.
      const hasPlan = index % 6 !== 3;
      desk.specs.push({
        spec_id: spec.id,
        title: index < features.length ? feature.title : `${feature.title}, next round`,
        summary: `${feature.goal} ${feature.approach}`,
        status,
        owner: repeat(people, index).name,
        template: index % 2 === 0 ? 'feature' : 'empty',
        plan_path: hasPlan ? `.plans/${feature.slug}.md` : undefined,
        plan_review_path: hasPlan ? `.plan-reviews/${feature.slug}.md` : undefined,
        ...progress,
        completeness_score: hasPlan ? random.int(80, 100) : random.int(50, 70),
        validation_status: hasPlan ? 'valid' : 'warnings',
        validation_issues: hasPlan ? [] : ['There is no plan_path.', 'There is no plan_review_path.'],
        created_at: at(spec.day),
        updated_at: at(spec.day + 20),
      });
      addPapers(desk, random, spec, hasPlan);
    }
    return { ...desk, ...describeRuntime(desk, random, size) };
  },
});
