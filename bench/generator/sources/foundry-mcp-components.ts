import { at, type Row } from './team-tool.ts';

type Component = readonly [name: string, description: string, more?: Row];

/** What is installed beside the specifications, by kind. */
const components: Record<string, readonly Component[]> = {
  tool: [
    ['health', 'Says whether the server runs', { actions: ['liveness', 'readiness', 'check'] }],
    ['spec', 'Finds and checks specifications', { actions: ['find', 'get', 'list', 'validate', 'stats'] }],
    ['task', 'Works off tasks', { actions: ['prepare', 'next', 'info', 'list', 'query', 'progress'] }],
    ['journal', 'Keeps the journal', { actions: ['add', 'list', 'list-unjournaled'] }],
    ['research', 'Looks things up', { actions: ['chat', 'deep-research', 'thread-list'] }],
  ],
  capability: [
    ['autonomy_sessions', 'Unattended runs'],
    [
      'autonomy_fidelity_gates',
      'Gates between phases of unattended runs',
      { status: 'disabled', is_enabled: false },
    ],
  ],
  provider: [
    ['claude', 'Model provider for reviews', { version: '2.1' }],
    ['codex', 'Model provider for reviews', { version: '0.46' }],
    ['gemini', 'Model provider for research', { status: 'missing', is_enabled: false }],
  ],
  dependency: [
    ['spec-store', 'Folder of specifications can be read and written'],
    ['journal-store', 'Journal can be appended to'],
    ['search-index', 'Index of specifications is a day old', { status: 'degraded' }],
  ],
  environment: [
    ['git', 'Version control is installed', { version: '2.45' }],
    ['specs-directory', 'Folder for specifications exists'],
    ['config-file', 'Settings file is present'],
  ],
  toolchain: [
    ['node', 'Runtime of the app', { version: '20.19' }],
    ['python', 'Runtime of the server', { version: '3.12' }],
    ['gradle', 'Build of the phone app', { status: 'missing', is_enabled: false }],
  ],
  workspace: [
    ['waypoint-app', 'Phone app in TypeScript with one folder of specifications', { version: 'main' }],
  ],
  review_tool: [
    ['standard', 'Reviews a specification with one provider'],
    ['consensus', 'Reviews a specification with several providers'],
  ],
  plan_review_tool: [['plan-review', 'Reviews a plan before it becomes a specification']],
  spec_template: [
    ['empty', 'Starts without phases'],
    ['feature', 'Starts with groundwork, build and hardening'],
  ],
};

/** One row per installed part; a part that says nothing else works. */
export function listComponents(): Row[] {
  return Object.entries(components).flatMap(([kind, list]) =>
    list.map(([name, description, more], index) => ({
      component_id: `${kind}-${name}`,
      kind,
      name,
      status: 'ok',
      description,
      actions: [],
      is_supported: true,
      is_enabled: true,
      checked_at: at(30, index),
      ...more,
    })),
  );
}
