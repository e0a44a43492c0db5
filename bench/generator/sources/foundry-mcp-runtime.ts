import type { Random } from '../random.ts';
import { listComponents } from './foundry-mcp-components.ts';
import type { Desk } from './foundry-mcp-desk.ts';
import { at, createId, type Row, repeat } from './team-tool.ts';

/** Runs through specifications. The first has stopped at a gate and is what documentation refers to. */
const runs: ReadonlyArray<Row & { spec_id: string }> = [
  {
    spec_id: 'spec-001',
    status: 'paused',
    pause_reason: 'gate_failed',
    loop_signal: 'paused_needs_attention',
    current_task_id: 'spec-001-task-2-2',
    active_phase_id: 'spec-001-phase-2',
    last_step_type: 'run_fidelity_gate',
    recommended_actions: ['review_gate_findings'],
  },
  {
    spec_id: 'spec-002',
    status: 'running',
    current_task_id: 'spec-002-task-2-2',
    active_phase_id: 'spec-002-phase-2',
    last_step_type: 'implement_task',
    recommended_actions: [],
  },
  {
    spec_id: 'spec-003',
    status: 'completed',
    loop_signal: 'spec_complete',
    last_step_type: 'complete_spec',
    recommended_actions: [],
  },
  {
    spec_id: 'spec-006',
    status: 'failed',
    loop_signal: 'failed',
    current_task_id: 'spec-006-task-2-3',
    active_phase_id: 'spec-006-phase-2',
    last_step_type: 'execute_verification',
    recommended_actions: ['collect_failure_context'],
  },
];

const failures = [
  ['task', 'complete', 'VALIDATION', 'The task still has unfinished subtasks.'],
  ['review', 'fidelity', 'TIMEOUT', 'The provider did not answer within 360 seconds.'],
  ['spec', 'get', 'NOT_FOUND', 'There is no specification with this id.'],
  ['task', 'session-events', 'INVALID_CURSOR', 'The cursor belongs to another session.'],
] as const;

const researchTopics = [
  ['deep-research', 'How other apps store map tiles', 'completed'],
  ['deep-research', 'Exchange rates: day or card?', 'running'],
  ['chat', 'Naming the stop without a date', 'completed'],
  ['consensus', 'Merge edits on the phone or on the server', 'completed'],
  ['thinkdeep', 'Why first starts got slower', 'failed'],
  ['ideate', 'Ways to explain passkeys', 'completed'],
] as const;

/** Runs, errors, installed parts and research. Adds the events of each run to the journal. */
export function describeRuntime(desk: Desk, random: Random, size: number): Record<string, Row[]> {
  return {
    autonomous_sessions: runs.map((run, index) => describeRun(desk, run, index, random)),
    errors: Array.from({ length: 16 * size }, (_, index) => {
      const [tool, action, code, message] =
        index < failures.length ? repeat(failures, index) : random.pick(failures);
      return {
        error_id: createId('error', index),
        tool_name: tool,
        action,
        error_code: code,
        fingerprint: `${tool}:${action}:${code}`,
        message,
        occurred_at: at(index * 2, random.int(0, 500)),
      };
    }),
    components: listComponents(),
    ...describeResearch(),
  };
}

function describeRun(desk: Desk, run: Row & { spec_id: string }, index: number, random: Random): Row {
  const sessionId = createId('session', index);
  const day = 8 + index * 5;
  for (const [turn, action] of ['start', 'step', 'gate', 'report'].entries()) {
    desk.journal_entries.push({
      entry_id: `${sessionId}-event-${turn + 1}`,
      spec_id: run.spec_id,
      session_id: sessionId,
      entry_type: 'session',
      action,
      title: `Run ${index + 1}: ${action}`,
      content: turn === 3 ? `The run is now ${run.status}.` : `The run went through "${action}".`,
      author: 'Autonomy runner',
      created_at: at(day, turn * 25),
    });
  }
  return {
    session_id: sessionId,
    ...run,
    active_phase_progress: run.status === 'completed' ? 100 : random.int(20, 80),
    last_step_id: `step-${index + 1}04`,
    retry_count: run.status === 'failed' ? 3 : index % 2,
    max_retries: 3,
    gate_policy: index % 2 === 0 ? 'strict' : 'lenient',
    started_at: at(day),
    updated_at: at(day, 75),
  };
}

function describeResearch(): Record<string, Row[]> {
  const threads = researchTopics.map(([workflow, title, status], index) => ({
    thread_id: createId('thread', index),
    workflow,
    title,
    status,
    progress_percent: { completed: 100, running: 50, failed: 30 }[status],
    report:
      status === 'completed'
        ? `${title}: three answers were compared and the simplest one chosen.`
        : undefined,
    created_at: at(index * 3, 30),
  }));
  const nodes = threads.flatMap((thread, index) =>
    ['Collect sources', 'Compare'].map((title, step) => {
      const status = step === 0 ? 'completed' : thread.status;
      return {
        node_id: createId('node', index * 2 + step),
        thread_id: thread.thread_id,
        title,
        position: step + 1,
        status,
        findings: status === 'completed' ? `"${thread.title}": two sources agree, one does not.` : undefined,
        created_at: at(index * 3, 40 + step * 10),
      };
    }),
  );
  return { research_threads: threads, research_nodes: nodes };
}
