import type { Random } from '../random.ts';
import type { Desk, SpecInWork } from './foundry-mcp-desk.ts';
import { at, createId, type Row } from './team-tool.ts';
import { people } from './waypoint-team.ts';

/** Everything written around a specification: notes, earlier versions, its plan and reviews. */
export function addPapers(desk: Desk, random: Random, spec: SpecInWork, hasPlan: boolean): void {
  addNotes(desk, random, spec);
  addRevisions(desk, random, spec);
  desk.plans.push({
    plan_id: createId('plan', desk.plans.length),
    spec_id: hasPlan ? spec.id : undefined,
    title: `Plan: ${spec.feature.title.toLowerCase()}`,
    path: `.plans/${spec.feature.slug}.md`,
    status: !hasPlan ? 'draft' : spec.status === 'pending' ? 'reviewed' : 'accepted',
    summary: `${spec.feature.goal} First ${spec.feature.steps[0].toLowerCase()}, then the rest.`,
    created_at: at(spec.day - 2),
  });
  if (hasPlan) addReviews(desk, random, spec);
}

function addNotes(desk: Desk, random: Random, spec: SpecInWork): void {
  const { question, risk, measure, steps } = spec.feature;
  const level = () => random.pick(['low', 'medium', 'high']);
  const notes: Array<[string, string, Row?]> = [
    [
      'assumption',
      `Travellers update the app at least once while "${steps[2].toLowerCase()}" is rolled out.`,
    ],
    ['constraint', 'It works without an account on phones that are five years old.'],
    [
      'risk',
      risk,
      {
        likelihood: level(),
        impact: level(),
        mitigation: `Release "${steps[3].toLowerCase()}" behind a flag.`,
      },
    ],
    ['question', question],
    ['success_criterion', measure],
  ];
  notes.forEach(([kind, text, more], index) => {
    desk.spec_notes.push({
      note_id: createId('note', desk.spec_notes.length),
      spec_id: spec.id,
      kind,
      text,
      ...more,
      created_at: at(spec.day, 10 + index),
    });
  });
}

function addRevisions(desk: Desk, random: Random, spec: SpecInWork): void {
  const step = spec.feature.steps[3];
  for (const [index, change] of ['split a task in two', 'added the release phase'].entries()) {
    const saved = at(spec.day + 3 + index, 180);
    desk.spec_revisions.push({
      revision_id: createId('revision', desk.spec_revisions.length),
      spec_id: spec.id,
      // As backups are named: 20260305T120000.
      label: saved.slice(0, 19).replaceAll(/[-:]/g, ''),
      author: random.pick(people).name,
      change_summary: `${change.charAt(0).toUpperCase()}${change.slice(1)}`,
      diff:
        index === 0 ? `- Build ${step} and test it\n+ Build ${step}\n+ Test ${step}` : '+ Phase 3: Hardening',
      tasks_added: index === 0 ? 2 : 4,
      tasks_removed: index === 0 ? 1 : 0,
      created_at: saved,
    });
  }
}

function addReviews(desk: Desk, random: Random, spec: SpecInWork): void {
  const first = `${spec.id}-phase-1`;
  const reviews: Array<[string, string | undefined, string, string[]]> = [
    ['plan', undefined, 'incomplete', ['The plan does not say who switches the feature on.']],
    ['spec', undefined, 'aligned', []],
  ];
  if (spec.status !== 'pending') {
    reviews.push([
      'fidelity',
      first,
      'deviation',
      ['The tests cover one device only.', 'A retry is missing.'],
    ]);
    reviews.push([
      'fidelity_gate',
      first,
      spec.status === 'completed' ? 'aligned' : 'deviation',
      ['See the fidelity review.'],
    ]);
  }
  reviews.forEach(([kind, phaseId, verdict, findings], index) => {
    desk.spec_reviews.push({
      review_id: createId('review', desk.spec_reviews.length),
      spec_id: spec.id,
      phase_id: phaseId,
      kind,
      verdict,
      provider: random.pick(['claude', 'codex', 'gemini']),
      review_path: `.${kind === 'plan' ? 'plan' : 'spec'}-reviews/${spec.id}-${kind}.md`,
      summary: findings.length === 0 ? 'Nothing is missing.' : findings.join(' '),
      finding_count: findings.length,
      findings,
      created_at: at(spec.day + index * 2, 200),
    });
  });
}
