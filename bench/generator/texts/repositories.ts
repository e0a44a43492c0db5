/** Repositories of the owner and her employer, most active first. */
export type RepositoryRow = readonly [
  id: string,
  description: string | null,
  language: string,
  topics: string,
  visibility: 'public' | 'private',
  stars: number,
];

export const repositories: RepositoryRow[] = [
  [
    'halden/motion-planner',
    'Plans paths for the arm around pallets and people',
    'C++',
    'robotics software',
    'private',
    3,
  ],
  ['halden/gripper-firmware', 'Firmware of the third gripper', 'C', 'robotics', 'private', 1],
  ['halden/fleet-service', 'Where every robot is and what it does', 'TypeScript', 'software', 'private', 4],
  [
    'nkeller/beta-notes',
    'Notes about routes, as plain files',
    'TypeScript',
    'climbing software',
    'public',
    214,
  ],
  [
    'halden/trial-reports',
    'Scripts that turn field trials into reports',
    'Python',
    'robotics planning',
    'private',
    0,
  ],
  ['nkeller/sourdough-timer', 'Tells you when to fold', 'Swift', 'cooking software', 'public', 57],
  ['nkeller/dotfiles', null, 'Shell', 'software', 'public', 12],
  ['kletterfreunde/website', 'The page of the club', 'HTML', 'climbing planning', 'public', 8],
  ['nkeller/balcony-sensors', 'Soil moisture for eleven pots', 'Rust', 'garden software', 'public', 96],
  ['halden/hiring-tasks', 'Take-home tasks', 'Python', 'hiring', 'private', 0],
  ['nkeller/reading-list', null, 'Markdown', 'reading', 'public', 5],
];

/** People who open issues besides colleagues and the owner. */
export const strangers = [
  'ferrisfan',
  'octo-lena',
  'mwatanabe',
  'null-pointer-nick',
  'd3v-ana',
  'zhang_li',
  'bot-of-doom',
];

export const issueLabels = [
  'bug',
  'enhancement',
  'question',
  'documentation',
  'good first issue',
  'performance',
];
