import { AppError } from '../../errors.ts';
import { readText, readUrl } from '../dav/dav-settings.ts';
import { type AccountField, type SyncContext, SyncError } from '../sync-source.ts';

export type FeedType = 'calendar' | 'news';

export const feedFields: readonly AccountField[] = [
  {
    name: 'url',
    label: 'Address of the feed',
    type: 'url',
    isRequired: false,
    hint: 'A calendar (iCalendar), or a feed in RSS, Atom or JSON Feed.',
  },
  {
    name: 'secret',
    label: 'Secret address',
    type: 'secret',
    isRequired: false,
    hint: 'Instead of the address, if it lets anyone who knows it read the feed. It is stored encrypted.',
  },
  {
    name: 'type',
    label: 'Content',
    type: 'choice',
    isRequired: false,
    hint: 'Guessed from the address if you leave it empty.',
    choices: [
      { value: 'calendar', label: 'Calendar' },
      { value: 'news', label: 'News, blog or podcast' },
    ],
  },
];

const refuse = (field: string, text: string) =>
  new AppError('invalid_argument', text, { hint: 'Enter an address with https.', field });

export function parseFeedSettings(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const written = readText(given.url);
  const url = written === '' ? undefined : readFeedUrl(written);
  const type = readText(given.type);
  if (written !== '' && url === undefined) throw refuse('url', 'The address of the feed is not valid.');
  if (!['', 'calendar', 'news'].includes(type))
    throw refuse('type', 'The content is neither “calendar” nor “news”.');
  return { ...(url === undefined ? {} : { url }), ...(type === '' ? {} : { type }) };
}

const readFeedUrl = (text: string) => readUrl(text.replace(/^(?:webcals?|feed):\/\//i, 'https://'));

export interface FeedSettings {
  readonly url: URL;
  readonly type: FeedType;
  /** Google's calendars are stored as its exports are. */
  readonly isGoogle: boolean;
}

const CALENDAR = /\.ics\b|ical|calendar|caldav/i;

export function readFeedSettings({ settings, secret }: SyncContext): FeedSettings {
  const address = secret === undefined || secret === '' ? settings.url : readFeedUrl(secret.trim());
  if (typeof address !== 'string')
    throw new SyncError('not_found', 'The address of the feed is missing.', 'Give the address of the feed.');
  const url = new URL(address);
  const type = settings.type ?? (CALENDAR.test(url.host + url.pathname) ? 'calendar' : 'news');
  return { url, type: type as FeedType, isGoogle: url.hostname === 'calendar.google.com' };
}
