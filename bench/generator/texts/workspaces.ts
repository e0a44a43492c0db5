import { climbers, colleagues, type Person } from './people.ts';

/** A chat workspace: who is in it and what its channels are about. */
export interface Workspace {
  connection_id: string;
  display_name: string;
  /** Starts the ids of its users and channels. */
  prefix: string;
  members: Person[];
  bot: string;
  /** Share of the messages that are in the writer's own language instead of English. */
  ownLanguage: number;
  tone: 'work' | 'talk';
  channels: readonly Channel[];
}

export type Channel = readonly [name: string, purpose: string, topics: string, isPrivate: boolean];

export const workspaces: Workspace[] = [
  {
    connection_id: 'slack_work',
    display_name: 'Halden Robotics',
    prefix: 'H',
    members: colleagues,
    bot: 'release-bot',
    ownLanguage: 0.15,
    tone: 'work',
    channels: [
      ['general', 'Announcements for everyone', 'planning hiring', false],
      ['robot-lab', 'Prototypes, rigs and everything with a motor', 'robotics', false],
      ['firmware', 'Firmware and controllers', 'robotics software', false],
      ['backend', 'Services, databases, releases', 'software', false],
      ['field-trials', 'What happens on site', 'robotics travel', false],
      ['planning', 'Roadmap and budget', 'planning', false],
      ['random', 'Everything else', 'music nature cooking', false],
      ['lunch', 'Who eats what where', 'cooking', false],
      ['incidents', 'Something is down', 'software', false],
      ['hiring', 'Candidates and interviews', 'hiring', true],
      ['berlin-office', 'Keys, parcels, plants', 'home garden', false],
      ['finance', 'Invoices and expenses', 'money', true],
      ['book-club', 'One book a month', 'reading', false],
    ],
  },
  {
    connection_id: 'slack_climbing',
    display_name: 'Kletterfreunde Ost',
    prefix: 'K',
    members: climbers,
    bot: 'weather-bot',
    ownLanguage: 0.45,
    tone: 'talk',
    channels: [
      ['general', 'The club', 'climbing', false],
      ['trips', 'Weekends and holidays at the rock', 'climbing travel', false],
      ['training', 'Plans, fingers, injuries', 'health climbing', false],
      ['gear', 'Lend, borrow, sell', 'climbing home', false],
      ['hut-kitchen', 'Who cooks for twenty', 'cooking', false],
      ['board', 'Committee of the club', 'planning money', true],
    ],
  },
];
