import { createMemoryFile } from '../../import/memory-file.ts';
import { calendarDeclaration } from '../../sources/calendar/calendar-declaration.ts';
import { feedsDeclaration } from '../../sources/feeds/feeds-declaration.ts';
import { readFeed } from '../../sources/feeds/read-feed.ts';
import { googleCalendarDeclaration } from '../../sources/google-calendar/google-calendar-declaration.ts';
import {
  type SyncContext,
  SyncError,
  type SyncItem,
  type SyncPlan,
  type SyncRun,
  type SyncSource,
} from '../sync-source.ts';
import { syncCalendar } from './calendar-feed.ts';
import { downloadFeed, type FeedVersion } from './download-feed.ts';
import { feedFields, parseFeedSettings, readFeedSettings } from './feed-settings.ts';

const TITLE = 'Feed or calendar address';

export const feedSource: SyncSource = {
  kind: 'feed',
  title: TITLE,
  fields: feedFields,
  isAddedOnPages: true,
  parseSettings: parseFeedSettings,
  async check(context) {
    const { url, type } = readFeedSettings(context);
    const download = await downloadFeed(context, url);
    const bytes = download === 'unchanged' ? new Uint8Array(0) : download.bytes;
    const title = await checkContent(bytes, type, context);
    return { account: title === undefined ? url.host : `${title} (${url.host})`, collections: [], notes: [] };
  },
  async plan(context) {
    return planOf(readFeedSettings(context));
  },
  async *sync(run) {
    try {
      yield* syncFeed(run);
    } catch (error) {
      if (!run.signal.aborted) throw error;
    }
  },
};

function planOf({ type, isGoogle }: ReturnType<typeof readFeedSettings>): SyncPlan {
  if (type === 'news') return { format: 'feeds', title: TITLE, declaration: feedsDeclaration };
  if (isGoogle) return { format: 'google-calendar', title: TITLE, declaration: googleCalendarDeclaration };
  return { format: 'calendar', title: TITLE, declaration: calendarDeclaration };
}

async function* syncFeed(run: SyncRun): AsyncGenerator<SyncItem> {
  const { url, type } = readFeedSettings(run);
  const download = await downloadFeed(run, url, (run.state ?? {}) as FeedVersion);
  if (download === 'unchanged') return;
  const { bytes, version } = download;
  await checkContent(bytes, type, run);
  const file = createMemoryFile(nameFile(url), bytes);
  let problems = 0;
  const items =
    type === 'calendar' ? syncCalendar(file, isWholeCalendar(bytes), run) : readEntries(file, run);
  for await (const item of items) {
    if (item.kind === 'problem') problems += 1;
    yield item;
  }
  // After a problem, the next run reads the feed again even if the server reports no change.
  yield { kind: 'checkpoint', state: problems === 0 ? version : {} };
}

/** Entries that leave the feed stay: a feed lists the latest ones only. */
async function* readEntries(file: Parameters<typeof readFeed>[0], run: SyncRun): AsyncGenerator<SyncItem> {
  for (const item of (await readFeed(file, run.timeZone)).items) {
    if (item.kind === 'record') yield { kind: 'record', stream: item.stream, data: item.data };
    if (item.kind === 'problem') yield { kind: 'problem', place: 'the feed', reason: item.reason };
  }
}

/** Returns the title. Throws if the content is of another type than the settings say. */
async function checkContent(
  bytes: Uint8Array,
  type: string,
  { timeZone }: SyncContext,
): Promise<string | undefined> {
  const head = Buffer.from(bytes.subarray(0, 4_096)).toString('utf8');
  const isCalendar = /^\uFEFF?\s*BEGIN:VCALENDAR\b/i.test(head);
  if (isCalendar && type === 'calendar')
    return /^(?:X-WR-CALNAME|NAME)[^:\r\n]*:([^\r\n]{1,200})/im.exec(head)?.[1]?.trim();
  if (isCalendar) throw wrongType('The address is a calendar.', 'Choose “Calendar” as the content.');
  const { isFeed, title } = await readFeed(createMemoryFile('feed', bytes), timeZone);
  if (isFeed && type === 'news') return title?.slice(0, 200);
  if (isFeed)
    throw wrongType('The address is a feed of news.', 'Choose “News, blog or podcast” as the content.');
  throw wrongType(
    'The address is neither a calendar nor a feed.',
    'Check the address. A page often links to its feed as RSS or Atom, or to its calendar as iCal.',
  );
}

const wrongType = (message: string, fix: string) => new SyncError('protocol', message, fix);

/** A calendar without its end was cut off, so entries may be missing from it. */
function isWholeCalendar(bytes: Uint8Array): boolean {
  return /END:VCALENDAR\s*$/i.test(Buffer.from(bytes.subarray(-200)).toString('latin1'));
}

/** An import takes the name of a calendar without one from its file. */
function nameFile({ pathname, host }: URL): string {
  return pathname.split('/').findLast((part) => part !== '') ?? host;
}
