/** The small team that the four team tools are about, and the trip-planning app it builds. */

export const people = [
  { handle: 'mara', name: 'Mara Lindqvist', role: 'product' },
  { handle: 'tomas', name: 'Tomas Okafor', role: 'backend' },
  { handle: 'jun', name: 'Jun Park', role: 'mobile' },
  { handle: 'ines', name: 'Ines Duarte', role: 'design' },
  { handle: 'priya', name: 'Priya Raman', role: 'data' },
  { handle: 'sam', name: 'Sam Whitlock', role: 'support' },
  { handle: 'leo', name: 'Leo Brandt', role: 'backend' },
  { handle: 'noor', name: 'Noor Haddad', role: 'quality' },
] as const;

export interface Feature {
  slug: string;
  title: string;
  goal: string;
  approach: string;
  question: string;
  risk: string;
  measure: string;
  /** What to build, in order; the last is the first thing to break. */
  steps: readonly [string, string, string, string];
}

export const features: readonly Feature[] = [
  {
    slug: 'offline-maps',
    title: 'Offline maps',
    goal: 'A trip stays usable on a mountain road without any signal.',
    approach: 'Download vector tiles for the corridor around the route and keep them for thirty days.',
    question: 'How much storage may one trip take before we ask the traveller?',
    risk: 'Tile downloads over a slow connection never finish.',
    measure: 'Nine in ten downloads finish within two minutes on a hotel network.',
    steps: ['Tile store on disk', 'Download queue', 'Storage limit settings', 'Full-disk message'],
  },
  {
    slug: 'shared-trips',
    title: 'Shared trips',
    goal: 'Friends plan one trip together without sending screenshots around.',
    approach: 'Every trip has members with a role, and each edit is a small operation that merges.',
    question: 'Can a guest without an account see the plan?',
    risk: 'Two people moving the same stop at once lose one of the edits.',
    measure: 'A second member joins a third of all new trips.',
    steps: ['Trip membership', 'Operation log', 'Invitation links', 'Conflict banner'],
  },
  {
    slug: 'passkey-sign-in',
    title: 'Passkey sign-in',
    goal: 'Signing in takes one touch and no password to forget.',
    approach: 'Offer a passkey after the first mail link and keep the mail link as the way back in.',
    question: 'What do we show on a shared tablet?',
    risk: 'A lost phone locks a traveller out in the middle of a trip.',
    measure: 'Support requests about passwords fall by half.',
    steps: ['Credential storage', 'Registration prompt', 'Recovery by mail', 'Device list'],
  },
  {
    slug: 'expense-splitting',
    title: 'Expense splitting',
    goal: 'The group knows who owes what before the journey home.',
    approach: 'Record expenses in their own currency and settle in the currency of the trip.',
    question: 'Which exchange rate counts, that of the day or that of the card?',
    risk: 'Rounding differences make people distrust the totals.',
    measure: 'Eight in ten groups settle within a week of returning.',
    steps: ['Expense entry', 'Currency conversion', 'Settlement view', 'Rounding rules'],
  },
  {
    slug: 'trip-search',
    title: 'Trip search',
    goal: 'Any stop, note or booking of the last years is found in seconds.',
    approach: 'Index text on the device first and ask the server only for shared trips.',
    question: 'Should archived trips rank below current ones?',
    risk: 'The index slows the first start on older phones.',
    measure: 'Results appear within a fifth of a second on a five-year-old phone.',
    steps: ['Device index', 'Ranking by place', 'Result cards', 'Index rebuild'],
  },
  {
    slug: 'arrival-alerts',
    title: 'Arrival alerts',
    goal: 'Whoever waits at the station learns about delays early.',
    approach: 'Watch the timetable feed for booked connections and notify members once per change.',
    question: 'How late is late enough for a notification?',
    risk: 'A noisy feed wakes people at night.',
    measure: 'Fewer than one in fifty alerts is switched off.',
    steps: ['Timetable feed', 'Delay rules', 'Notification channel', 'Quiet hours'],
  },
  {
    slug: 'data-export',
    title: 'Data export',
    goal: 'People can take every trip with them in formats other programs read.',
    approach: 'Write calendar, track and spreadsheet files into one archive in the background.',
    question: 'Do shared photos belong to the export of each member?',
    risk: 'Very large archives fail near the end.',
    measure: 'Exports of ten gigabytes finish without a retry.',
    steps: ['Archive writer', 'Calendar file', 'Progress page', 'Resumable download'],
  },
  {
    slug: 'first-run',
    title: 'First-run onboarding',
    goal: 'A newcomer has a first trip with two stops within three minutes.',
    approach: 'Start from a forwarded booking mail instead of an empty map.',
    question: 'What happens when the booking mail is in a language we do not parse?',
    risk: 'Asking for notifications too early costs trust.',
    measure: 'Half of all newcomers add a second stop on the first day.',
    steps: ['Mail parser', 'Sample trip', 'Permission prompts', 'Empty states'],
  },
];
