/** What the studios of the demo write about. */

export const studios = [
  { handle: 'waypoint', name: 'Waypoint', description: 'The team behind the trip planner', members: 8 },
  {
    handle: 'reading-circle',
    name: 'Reading circle',
    description: 'One chapter every fortnight',
    members: 4,
  },
] as const;

/** The parameters that a page's actions take; a trailing question mark marks an optional one. */
export const pageActions: Record<string, ReadonlyArray<readonly [string, string, string[]]>> = {
  studio: [
    ['create_note', 'Write a note for the studio', ['title', 'body?']],
    ['create_decision', 'Ask the studio to decide', ['title', 'deadline', 'description?']],
    ['create_commitment', 'Propose something to do together', ['title', 'needed_count', 'deadline?']],
  ],
  cycle: [['create_note', 'Write a note in this cycle', ['title', 'body?']]],
  note: [
    ['edit', 'Change the text', ['body']],
    ['confirm_read', 'Say that you have read it', []],
    ['comment', 'Add a remark', ['body']],
    ['pin', 'Keep it at the top of the studio', []],
  ],
  decision: [
    ['vote', 'Accept or reject one option', ['option_id', 'choice?']],
    ['add_option', 'Add another answer', ['title', 'description?']],
    ['comment', 'Add a remark', ['body']],
  ],
  commitment: [
    ['join', 'Take part', []],
    ['comment', 'Add a remark', ['body']],
  ],
};

export const questions: ReadonlyArray<readonly [string, readonly [string, string, string]]> = [
  ['Which map style comes first?', ['Topographic', 'Street', 'The traveller chooses']],
  [
    'How long do we keep phones from five years ago supported?',
    ['One more year', 'Two more years', 'Until spring'],
  ],
  ['Where do we hold the spring workshop?', ['Porto', 'Gothenburg', 'From home']],
  ['Who answers support on weekends?', ['A rota of everyone', 'Volunteers', 'Nobody, from Monday on']],
  ['What do we call a stop that has no date yet?', ['Idea', 'Someday', 'Open stop']],
  ['When do we release to everyone?', ['This month', 'After the holidays', 'When crash reports halve']],
  ['Do we show prices in the plan?', ['Always', 'Only to the organiser', 'Not yet']],
  ['Which book follows?', ['A history of maps', 'Letters from trains', 'The walker']],
];

export const proposals = [
  [
    'Try the app on a train without signal',
    'Take a regional train, switch the network off, and write down what breaks.',
  ],
  ['Read ten support requests each', 'Pick ten from last month and tag what people were trying to do.'],
  ['Dry run of the release', 'Go through the checklist with a stopwatch.'],
  ['Write one help page', 'Choose a question that support answers every week.'],
  ['Lunch talk about map tiles', 'Bring lunch; half an hour, questions welcome.'],
  ['Clean up the old experiments', 'Delete flags that nobody has touched since last year.'],
] as const;

export const remarks = [
  'I can try this on my old phone tonight.',
  'Let us keep this short and look again on Friday.',
  'Support hears this every week, so yes.',
  'What would we drop to make room for it?',
  'Thank you for writing this down.',
] as const;
