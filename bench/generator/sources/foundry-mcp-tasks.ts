import type { Random } from '../random.ts';
import type { Desk, SpecInWork } from './foundry-mcp-desk.ts';
import { at, createId, type Row, repeat } from './team-tool.ts';
import { people } from './waypoint-team.ts';

type Status = 'pending' | 'in_progress' | 'blocked' | 'completed';

interface Step {
  title: string;
  kind: 'implementation' | 'test' | 'documentation' | 'verification';
  /** Positions within the phase of the steps that come first; 0 is the end of the phase before. */
  after: number[];
  /** Where an active specification stands in its second phase. */
  midway: Status;
}

/** Three phases: the first is done in an active specification, the second half done, the third untouched. */
function listPhases({ steps, title }: SpecInWork['feature']): Array<{ title: string; steps: Step[] }> {
  const check = (name: string): Step => ({
    title: `Verify ${name}`,
    kind: 'verification',
    after: [2, 3],
    midway: 'pending',
  });
  return [
    {
      title: 'Groundwork',
      steps: [
        { title: `Sketch ${steps[0].toLowerCase()}`, kind: 'documentation', after: [0], midway: 'completed' },
        { title: `Build ${steps[0].toLowerCase()}`, kind: 'implementation', after: [1], midway: 'completed' },
        { title: `Tests for ${steps[0].toLowerCase()}`, kind: 'test', after: [1], midway: 'completed' },
        check('the groundwork'),
      ],
    },
    {
      title: 'Build',
      steps: [
        { title: `Build ${steps[1].toLowerCase()}`, kind: 'implementation', after: [0], midway: 'completed' },
        {
          title: `Build ${steps[2].toLowerCase()}`,
          kind: 'implementation',
          after: [1],
          midway: 'in_progress',
        },
        { title: `Tests for ${steps[1].toLowerCase()}`, kind: 'test', after: [1], midway: 'blocked' },
        check('the build'),
        {
          title: `Help page for ${title.toLowerCase()}`,
          kind: 'documentation',
          after: [1],
          midway: 'pending',
        },
        { title: `Build ${steps[3].toLowerCase()}`, kind: 'implementation', after: [1], midway: 'pending' },
      ],
    },
    {
      title: 'Hardening',
      steps: [
        { title: 'Try it on old phones', kind: 'test', after: [0], midway: 'pending' },
        // The same title as in the phase before: real specifications have such duplicates, too.
        { title: `Build ${steps[3].toLowerCase()}`, kind: 'implementation', after: [1], midway: 'pending' },
        {
          title: 'Switch it on for a tenth of travellers',
          kind: 'implementation',
          after: [1],
          midway: 'pending',
        },
        check('the release'),
      ],
    },
  ];
}

/** Writes phases, tasks and journal, and returns what the specification itself says about them. */
export function addTasks(desk: Desk, random: Random, spec: SpecInWork): Row {
  const before = desk.tasks.length;
  listPhases(spec.feature).forEach(({ title, steps }, phase) => {
    const start = desk.tasks.length;
    steps.forEach((step, index) => {
      const taskId = getTaskId(spec, phase, index + 1);
      const status = getStatus(spec, phase, step);
      addTask(desk, random, spec, phase, index + 1, {
        taskId,
        title: step.title,
        kind: step.kind,
        status,
        after: step.after,
      });
      if (phase !== 1 || index !== 4) return;
      for (const [part, name] of ['Screenshots', 'Translation into four languages'].entries()) {
        const subtaskId = `${taskId}-${part + 1}`;
        addTask(desk, random, spec, phase, index + 1, {
          taskId: subtaskId,
          parentId: taskId,
          title: name,
          kind: 'documentation',
          status,
          after: step.after,
        });
      }
    });
    const tasks = desk.tasks.slice(start);
    const progress = measureProgress(tasks);
    desk.phases.push({
      phase_id: `${spec.id}-phase-${phase + 1}`,
      spec_id: spec.id,
      title,
      position: phase + 1,
      status: progress === 100 ? 'completed' : progress > 0 ? 'in_progress' : 'pending',
      task_count: tasks.length,
      progress_percent: progress,
      created_at: at(spec.day, phase + 1),
    });
  });
  const tasks = desk.tasks.slice(before);
  return { task_count: tasks.length, progress_percent: measureProgress(tasks) };
}

interface NewTask {
  taskId: string;
  parentId?: string;
  title: string;
  kind: Step['kind'];
  status: Status;
  after: number[];
}

function addTask(
  desk: Desk,
  random: Random,
  spec: SpecInWork,
  phase: number,
  place: number,
  task: NewTask,
): void {
  const blockedBy = task.after.flatMap((step) => {
    if (step > 0) return [getTaskId(spec, phase, step)];
    return phase === 0 ? [] : [getTaskId(spec, phase - 1, 4)];
  });
  const isDone = (id: string) => desk.tasks.some((row) => row.task_id === id && row.status === 'completed');
  const worked = at(spec.day + phase * 5 + 1, place * 40 + random.int(0, 30));
  // Finished work is written up, apart from the tests: somebody always forgets those.
  const isJournaled = task.status === 'blocked' || (task.status === 'completed' && task.kind !== 'test');
  desk.tasks.push({
    task_id: task.taskId,
    spec_id: spec.id,
    phase_id: `${spec.id}-phase-${phase + 1}`,
    parent_id: task.parentId,
    title: task.title,
    description: `${task.title}, so that this holds: ${spec.feature.goal}`,
    kind: task.kind,
    status: task.status,
    complexity: repeat(['low', 'medium', 'high'], place + phase),
    position: (phase + 1) * 100 + place,
    estimated_hours: random.int(1, 12),
    is_ready: task.status === 'pending' && spec.status !== 'archived' && blockedBy.every(isDone),
    is_journaled: isJournaled,
    blocked_by: blockedBy,
    block_reason: task.status === 'blocked' ? 'Waits for test devices that are still in customs' : undefined,
    requirements: task.kind === 'verification' ? [spec.feature.measure] : [],
    updated_at: worked,
  });
  if (!isJournaled) return;
  desk.journal_entries.push({
    entry_id: createId('entry', desk.journal_entries.length),
    spec_id: spec.id,
    task_id: task.taskId,
    entry_type: task.status === 'blocked' ? 'blocker' : place === 1 ? 'decision' : 'status_change',
    title: `${task.title}: ${task.status === 'blocked' ? 'blocked' : 'done'}`,
    content:
      task.status === 'blocked' ? `Stopped here. Known risk: ${spec.feature.risk}` : spec.feature.approach,
    author: random.pick(people).name,
    created_at: worked,
  });
}

function getTaskId(spec: SpecInWork, phase: number, place: number): string {
  return `${spec.id}-task-${phase + 1}-${place}`;
}

function getStatus(spec: SpecInWork, phase: number, step: Step): Status {
  if (spec.status === 'completed') return 'completed';
  if (spec.status === 'pending' || phase === 2) return 'pending';
  if (phase === 0) return 'completed';
  return spec.status === 'archived' ? 'pending' : step.midway;
}

function measureProgress(tasks: Row[]): number {
  return Math.round((100 * tasks.filter((task) => task.status === 'completed').length) / tasks.length);
}
