import type { Random } from '../random.ts';
import { foundryStreams } from '../team/foundry-declaration.ts';
import { at, createId, createTeamTool, type Row, repeat } from './team-tool.ts';
import { type Feature, features, people } from './waypoint-team.ts';

const kinds = [
  ['design', 'design'],
  ['rollout', 'rollout plan'],
  ['research', 'research notes'],
  ['runbook', 'runbook'],
  ['retrospective', 'retrospective'],
  ['support', 'support guide'],
] as const;

const remarks = [
  'Can we say in one sentence what the traveller sees here?',
  'This contradicts what we agreed for older phones.',
  'I would cut this paragraph; nobody will look for it.',
  'Please add the number we measured last month.',
  'Who decides when the two goals pull apart?',
  'The order of these steps matters, so let us number them.',
] as const;
const answers = [
  'Rewritten, and the number now has a date beside it.',
  'Agreed. I moved it to the rollout plan.',
  'Kept it on purpose: support asks for exactly this.',
  'Good catch, the older phones have their own row now.',
] as const;

/** The rounds of review that every first, second, third and fourth page has had. */
const rounds = [['completed', 'submitted'], ['draft'], ['submitted'], ['completed']] as const;

/** A documentation site with pages, sections, reviews and annotation threads. */
export const foundry = createTeamTool({
  key: 'foundry',
  name: 'Foundry',
  streams: foundryStreams,
  write(random, size) {
    const site: Site = { pages: [], sections: [], annotations: [], reviews: [] };
    for (const [suffix, name] of kinds.slice(0, 2 + size)) {
      for (const feature of features) addPage(site, random, feature, suffix, `${feature.title}: ${name}`);
    }
    return { ...site };
  },
});

interface Site {
  pages: Row[];
  sections: Row[];
  annotations: Row[];
  reviews: Row[];
}

function addPage(site: Site, random: Random, feature: Feature, suffix: string, title: string): void {
  const index = site.pages.length;
  const pageId = createId('page', index);
  const path = `/docs/${feature.slug}/${suffix}/`;
  const written = at(index * 2, random.int(0, 300));
  const parts = [
    ['Goal', feature.goal],
    ['Approach', `${feature.approach} The steps are: ${feature.steps.join(', ').toLowerCase()}.`],
    ['Open questions', `${feature.question} ${random.pick(people).name} will ask five travellers.`],
    ['How we measure it', `${feature.measure} Known risk: ${feature.risk}`],
  ] as const;

  parts.forEach(([heading, body], position) => {
    site.sections.push({
      section_id: createId('section', site.sections.length),
      page_id: pageId,
      page_path: path,
      heading,
      position: position + 1,
      body,
      updated_at: written,
    });
  });
  const before = site.annotations.length;
  const page = { page_id: pageId, doc_path: path };
  for (const status of repeat(rounds, index)) addReview(site, random, page, status, title, index * 2);
  site.pages.push({
    page_id: pageId,
    path,
    title,
    access: suffix === 'research' || suffix === 'runbook' ? 'private' : 'public',
    owner: repeat(people, index).name,
    body: parts.map(([heading, body]) => `## ${heading}\n\n${body}`).join('\n\n'),
    position: index + 1,
    is_indexed: index % 6 !== 5,
    section_count: parts.length,
    annotation_count: site.annotations.length - before,
    created_at: written,
    updated_at: written,
  });
}

function addReview(site: Site, random: Random, page: Row, status: string, title: string, day: number): void {
  const index = site.reviews.length;
  const reviewId = createId('review', index);
  const reviewer = repeat(people, index + 1).name;
  const settled = status === 'completed' ? 'resolved' : status;
  const before = site.annotations.length;

  ['Approach', 'Open questions'].forEach((section, thread) => {
    // Two replies, one, none: every kind of thread is there for every seed.
    const replies = (index * 2 + thread + 2) % 3;
    const parentId = createId('annotation', site.annotations.length);
    const minute = 60 * (thread + 2) + random.int(0, 40);
    const shared = { ...page, section, status: settled, review_id: reviewId };
    for (let turn = 0; turn <= replies; turn++) {
      const byModel = turn === 1;
      const written = at(day + 1, minute + turn * 7);
      site.annotations.push({
        annotation_id: createId('annotation', site.annotations.length),
        ...shared,
        content: turn === 0 ? random.pick(remarks) : random.pick(answers),
        author: byModel ? 'Writing assistant' : turn === 0 ? reviewer : repeat(people, index).name,
        author_type: byModel ? 'ai' : 'human',
        parent_id: turn === 0 ? undefined : parentId,
        reply_count: turn === 0 ? replies : 0,
        awaits_ai_reply: turn === 0 && replies === 0 && settled === 'submitted',
        created_at: written,
        updated_at: written,
      });
    }
  });
  const total = site.annotations.length - before;
  site.reviews.push({
    review_id: reviewId,
    ...page,
    title: `Review of "${title}"`,
    status,
    reviewer,
    annotation_count: total,
    open_count: status === 'completed' ? 0 : total,
    created_at: at(day + 1, 90),
    submitted_at: status === 'draft' ? undefined : at(day + 1, 280),
    updated_at: at(day + 1, 280),
  });
}
