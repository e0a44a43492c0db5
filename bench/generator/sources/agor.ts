import type { Random } from '../random.ts';
import { agorStreams } from '../team/agor-declaration.ts';
import { at, createId, createTeamTool, type Row, repeat } from './team-tool.ts';
import { type Feature, features, people } from './waypoint-team.ts';

const boards = [
  ['Waypoint app', 'Everything that ships to phones'],
  ['Waypoint server', 'Accounts, sync and notifications'],
  ['Experiments', 'Spikes that may never ship'],
] as const;
const zones = [
  ['Planning', '#5b8def'],
  ['In progress', '#e0a63a'],
  ['Review', '#4fae7b'],
] as const;
const repos = ['waypoint-app', 'waypoint-server'] as const;
const prompts = [
  [
    'Start a child session',
    'Work on {{task}} in a child session of {{session}} and report back in five lines.',
  ],
  ['Set up a board', 'Create a board called {{name}} with zones for planning, work and review.'],
  ['Copy a worktree', 'Check out {{branch}} once more beside {{worktree}} and compare both.'],
] as const;

/** One family of sessions per worktree: the main one, two children of it, and a grandchild. */
const family = [
  { parent: undefined, tool: 'claude-code', aim: 'build', status: ['running', 'completed', 'idle'] },
  { parent: 0, tool: 'codex', aim: 'schema', status: ['completed', 'completed', 'failed'] },
  { parent: 0, tool: 'claude-code', aim: 'tests', status: ['running', 'completed', 'idle'] },
  { parent: 2, tool: 'gemini', aim: 'fixtures', status: ['idle', 'completed', 'completed'] },
] as const;

/** Boards, worktrees and the coding sessions on them. */
export const agor = createTeamTool({
  key: 'agor',
  name: 'Agor',
  streams: agorStreams,
  write(random, size) {
    const workshop: Workshop = { worktrees: [], worktree_files: [], sessions: [], tasks: [], messages: [] };
    for (let index = 0; index < 8 * size; index++) addWorktree(workshop, random, index);
    return { ...workshop, ...describePlaces(workshop) };
  },
});

interface Workshop {
  worktrees: Row[];
  worktree_files: Row[];
  sessions: Row[];
  tasks: Row[];
  messages: Row[];
}

function describePlaces({ worktrees, sessions }: Workshop): Record<string, Row[]> {
  const countOn = (rows: Row[], boardId: string) => rows.filter((row) => row.board_id === boardId).length;
  return {
    users: people.map((person, index) => ({
      user_id: createId('user', index),
      username: person.handle,
      name: person.name,
      email: `${person.handle}@waypoint.example`,
      avatar_url: `https://waypoint.example/people/${person.handle}.png`,
      created_at: at(-30, index),
    })),
    repos: repos.map((name, index) => ({
      repo_id: createId('repo', index),
      name,
      remote_url: `https://code.waypoint.example/${name}.git`,
      default_branch: 'main',
      created_at: at(-29, index),
    })),
    boards: boards.map(([name, description], index) => ({
      board_id: createId('board', index),
      name,
      description,
      owner_id: createId('user', index),
      worktree_count: countOn(worktrees, createId('board', index)),
      session_count: countOn(sessions, createId('board', index)),
      created_at: at(-28, index),
      updated_at: at(-28, index),
    })),
    zones: boards.flatMap((_, board) =>
      zones.map(([name, color], position) => ({
        zone_id: createId('zone', board * zones.length + position),
        board_id: createId('board', board),
        name,
        color,
        position: position + 1,
        created_at: at(-28, 10 + position),
      })),
    ),
    prompts: prompts.map(([title, template], index) => ({
      prompt_id: createId('prompt', index),
      title,
      template,
      created_at: at(-27, index),
    })),
  };
}

function addWorktree(workshop: Workshop, random: Random, index: number): void {
  const feature = repeat(features, index);
  const round = Math.floor(index / features.length);
  const name = round === 0 ? feature.slug : `${feature.slug}-${round + 1}`;
  const board = index % boards.length;
  const worktree = {
    worktree_id: createId('worktree', index),
    repo_id: createId('repo', index % repos.length),
    board_id: createId('board', board),
    zone_id: createId('zone', board * zones.length + (index % zones.length)),
    name,
    path: `~/code/${repeat(repos, index)}/.worktrees/${name}`,
    branch: `feature/${name}`,
    current_sha: createSha(random),
    base_sha: createSha(random),
    has_changes: index % 2 === 0,
    created_at: at(index * 4),
    updated_at: at(index * 4 + 2, random.int(0, 400)),
  };
  workshop.worktrees.push(worktree);
  feature.steps.slice(0, 3).forEach((step, position) => {
    workshop.worktree_files.push({
      file_id: createId('file', workshop.worktree_files.length),
      worktree_id: worktree.worktree_id,
      path: `src/${feature.slug}/${step.toLowerCase().replaceAll(' ', '-')}.ts`,
      language: 'typescript',
      change: repeat(['modified', 'added', 'unchanged'], worktree.has_changes ? position : 2),
      size_bytes: random.int(600, 9_000),
      updated_at: at(index * 4 + 1, position),
    });
  });
  addFamily(workshop, random, feature, worktree, index);
}

function addFamily(workshop: Workshop, random: Random, feature: Feature, worktree: Row, index: number): void {
  const first = workshop.sessions.length;
  family.forEach((member, place) => {
    const sessionId = createId('session', workshop.sessions.length);
    const started = index * 1_440 * 4 + place * 45;
    const status = repeat(member.status, index);
    const before = workshop.messages.length;
    const step = feature.steps[place] as string;
    addTasks(workshop, random, sessionId, status, feature, step, started);
    workshop.sessions.push({
      session_id: sessionId,
      board_id: worktree.board_id,
      worktree_id: worktree.worktree_id,
      created_by: createId('user', index % people.length),
      parent_session_id: member.parent === undefined ? undefined : createId('session', first + member.parent),
      // In every third family the younger child starts from what the elder one had found out.
      forked_from_id: place === 2 && index % 3 === 0 ? createId('session', first + 1) : undefined,
      root_session_id: createId('session', first),
      depth: place === 0 ? 0 : place === 3 ? 2 : 1,
      title: `${feature.title}: ${step.toLowerCase()} (${member.aim})`,
      agentic_tool: member.tool,
      status,
      message_count: workshop.messages.length - before,
      created_at: at(0, started),
      updated_at: at(0, started + 40 + random.int(0, 60)),
    });
  });
}

function addTasks(
  { tasks, messages }: Workshop,
  random: Random,
  sessionId: string,
  status: string,
  feature: Feature,
  step: string,
  started: number,
): void {
  const asked = [
    [`Build "${step}" for ${feature.title.toLowerCase()}.`, feature.approach],
    [`Write down what is still unclear about "${step}".`, `Still open: ${feature.question}`],
  ] as const;
  let position = 0;
  asked.forEach(([prompt, reply], turn) => {
    const taskId = createId('task', tasks.length);
    const isLast = turn === asked.length - 1;
    const outcome = isLast && (status === 'running' || status === 'failed') ? status : 'completed';
    const minute = started + 1 + turn * 15;
    const result = `Done in ${random.int(2, 14)} minutes. ${reply}`;
    const said = outcome === 'completed' ? [prompt, result] : [prompt];
    said.forEach((content, index) => {
      messages.push({
        message_id: createId('message', messages.length),
        session_id: sessionId,
        task_id: taskId,
        role: index === 0 ? 'user' : 'assistant',
        content,
        position: ++position,
        created_at: at(0, minute + index * 10),
      });
    });
    tasks.push({
      task_id: taskId,
      session_id: sessionId,
      prompt,
      status: outcome,
      result: outcome === 'completed' ? result : undefined,
      message_count: said.length,
      created_at: at(0, minute),
      completed_at: outcome === 'completed' ? at(0, minute + 10) : undefined,
    });
  });
}

function createSha(random: Random): string {
  return Array.from({ length: 40 }, () => random.int(0, 15).toString(16)).join('');
}
