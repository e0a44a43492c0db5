import type { Importer, ImportItem, ImportOptions, InputFile } from '../../import/importer.ts';
import { hashKey } from '../../import/make-key.ts';
import { peekText } from '../../import/read/decode-text.ts';
import { readHtmlText } from '../../import/read/html-text.ts';
import { readJsonElements } from '../../import/read/read-json.ts';
import { readTime } from '../../import/read/read-time.ts';
import { openScratch } from '../../store/sqlite/scratch.ts';
import { declareSource, declareStream } from '../declare.ts';
import { makeNote, makeProblem, readEach } from '../files/import-items.ts';
import { SeenKeys } from '../files/seen-keys.ts';
import { isObject, objectsOf, textsOf, trimmedText } from '../values/json.ts';
import { type Activity, toActivityRecord } from './activity-record.ts';
import { readActivityHtml } from './read-activity-html.ts';
import { detectYoutubeTable, readYoutubeTable } from './youtube-tables.ts';

const googleActivityDeclaration = declareSource('google_activity', 'Google activity', [
  declareStream('activity', 'Google activity', {
    description:
      'What was done with Google: searches, pages and places visited, apps used, questions to Gemini.',
    detail: 'Your searches, visited pages and other activity, with times.',
    semantics: 'append_only',
    time: 'occurred_at',
    isSensitive: true,
    view: { label: 'What and when', fields: ['id', 'title', 'product', 'occurred_at'] },
    fields: {
      id: 'text',
      title: 'text, search: As Google writes it, in the language of the account',
      product: 'text: Search, Maps, Chrome, Gemini Apps, …',
      query: 'text, search: The words of a search',
      url: 'text',
      occurred_at: 'time',
      items: 'list, search: Related items: a channel, opened results',
      details: 'list: Remarks by Google, for example that it came from an ad',
      places: 'list, sensitive: Where it was done, as estimated by Google',
      response: 'text, search: What the assistant answered',
      files: 'list, search: Names of files that were attached to a prompt',
    },
  }),
  declareStream('watch_history', 'YouTube history', {
    description: 'Videos and songs played on YouTube and YouTube Music.',
    detail: 'The videos you watched, their channels and when you watched them.',
    semantics: 'append_only',
    time: 'watched_at',
    view: { label: 'What and when', fields: ['id', 'title', 'channel', 'watched_at'] },
    fields: {
      id: 'text',
      title: 'text, search: Title of the video',
      channel: 'text, search: Who published it',
      channel_url: 'text',
      video_id: 'text',
      url: 'text',
      product: 'text: YouTube, YouTube Music or YouTube Kids',
      is_ad: 'flag: Whether it was shown as an ad',
      watched_at: 'time',
    },
  }),
  declareStream('subscriptions', 'YouTube subscriptions', {
    description: 'Channels on YouTube that the owner follows.',
    detail: 'The channels you follow.',
    fields: { id: 'text', title: 'text, search: Name of the channel', url: 'text' },
  }),
  declareStream('playlists', 'YouTube playlists', {
    description: 'Playlists that the owner keeps on YouTube.',
    detail: 'Your playlists and who can see them.',
    time: 'created_at',
    fields: {
      id: 'text',
      title: 'text, search',
      visibility: 'text: As YouTube calls it: private, unlisted, public',
      created_at: 'time',
      updated_at: 'time',
    },
  }),
  declareStream('playlist_videos', 'Videos in playlists', {
    description:
      'Videos in the playlists, among them what is to be watched later. Their titles are not exported.',
    detail: 'Which videos you put into playlists and when.',
    semantics: 'append_only',
    time: 'added_at',
    fields: {
      id: 'text',
      playlist: 'text, search: Name of the playlist',
      video_id: 'text',
      url: 'text',
      added_at: 'time',
    },
  }),
  declareStream('comments', 'YouTube comments', {
    description: 'Comments that the owner wrote on YouTube.',
    detail: 'What you wrote below videos.',
    semantics: 'append_only',
    time: 'commented_at',
    fields: {
      id: 'text',
      text: 'text, search',
      video_id: 'text',
      url: 'text: The video it is about',
      parent_id: 'text: The comment it answers',
      commented_at: 'time',
    },
  }),
]);

/** Reads My Activity and YouTube: the history as JSON or HTML pages, and the tables. */
export const googleActivityImporter: Importer = {
  format: 'google-activity',
  title: 'Google activity and YouTube (Google Takeout)',
  fillsArchive: true,
  guide: {
    steps: [
      'Open takeout.google.com and sign in.',
      'Choose “Deselect all”, then tick “My Activity” and “YouTube and YouTube Music”.',
      'Under both, choose “Multiple formats” and set activity and history to JSON.',
      'Choose “Next step”, “Create export”, and drop the zip here.',
    ],
    waiting: 'Minutes to hours.',
    choose: 'JSON rather than HTML: its times are exact.',
  },
  identity: {
    activity: ['product', 'title', 'url', 'occurred_at'],
    watch_history: ['title', 'url', 'watched_at'],
    playlist_videos: ['playlist', 'video_id', 'added_at'],
  },
  async recognise(files) {
    const found: InputFile[] = [];
    for (const file of files)
      if (
        (await isActivityJson(file)) ||
        (await isActivityHtml(file)) ||
        (await detectYoutubeTable(file)) !== undefined
      )
        found.push(file);
    return found.length === 0 ? [] : [{ files: found, certainty: 'certain' }];
  },
  declare: async () => googleActivityDeclaration,
  async *read({ files }, options) {
    const scratch = openScratch();
    try {
      const seen = new SeenKeys(scratch);
      for (const file of files) yield* dropCopies(readFile(file, options), file, seen);
    } finally {
      scratch.close();
    }
  },
};

async function* readFile(file: InputFile, options: ImportOptions): AsyncGenerator<ImportItem> {
  const table = await detectYoutubeTable(file);
  if (table !== undefined) yield* readYoutubeTable(file, table);
  else if (await isActivityJson(file)) yield* readActivityJson(file, options);
  else yield* readActivityHtml(file, options);
}

/**
 * A video is in two histories and is imported once. Other entries with one key are imported unless they are
 * equal.
 */
async function* dropCopies(
  items: AsyncIterable<ImportItem>,
  file: InputFile,
  seen: SeenKeys,
): AsyncGenerator<ImportItem> {
  let copies = 0;
  for await (const item of items) {
    const isVideo = item.kind === 'record' && item.stream === 'watch_history';
    const id = item.kind === 'record' ? item.data.id : undefined;
    if (item.kind !== 'record' || typeof id !== 'string' || !(isVideo || item.stream === 'activity')) {
      yield item;
      continue;
    }
    const content = isVideo ? '' : hashKey(JSON.stringify(item.data)).slice(0, 11);
    const key = seen.findKey(`${item.stream} ${id}`, content)?.slice(item.stream.length + 1);
    if (key === undefined) copies += 1;
    else yield { ...item, data: { ...item.data, id: key } };
  }
  if (copies > 0) yield makeNote(file, `${copies} duplicate entries skipped`);
}

async function isActivityJson(file: InputFile): Promise<boolean> {
  const head = await peekText(file);
  return (
    /^\s*\[\s*\{/.test(head) &&
    /"header"\s*:\s*"/.test(head) &&
    /"title"\s*:\s*"/.test(head) &&
    /"(?:time|products|titleUrl|activityControls)"\s*:/.test(head)
  );
}

/** Google puts a long style sheet before the first entry. */
const MAX_PREAMBLE_BYTES = 4 * 2 ** 20;

async function isActivityHtml(file: InputFile): Promise<boolean> {
  const head = await peekText(file);
  if (!/^\s*<(?:!doctype|html)/i.test(head) || !/mdl-/.test(head)) return false;
  let read = 0;
  let before = '';
  for await (const chunk of file.open()) {
    const text = before + Buffer.from(chunk).toString('latin1');
    if (/class="outer-cell/.test(text)) return true;
    before = text.slice(-40);
    read += chunk.length;
    if (read > MAX_PREAMBLE_BYTES) break;
  }
  return false;
}

async function* readActivityJson(file: InputFile, options: ImportOptions): AsyncGenerator<ImportItem> {
  yield* readEach(file, readJsonElements(file, ['*']), function* (element) {
    const place = `entry ${Number(element.path[0]) + 1}`;
    const activity = isObject(element.value) ? readEntry(element.value, options) : undefined;
    if (activity === undefined) yield makeProblem(file, 'is not an activity entry', place);
    else yield { kind: 'record', ...toActivityRecord(activity), place, file };
  });
}

function readEntry(entry: Record<string, unknown>, options: ImportOptions): Activity | undefined {
  const header = trimmedText(entry.header);
  const title = trimmedText(entry.title) ?? trimmedText(entry.description);
  if (title === undefined && header === undefined) return undefined;
  const answers = objectsOf(entry.safeHtmlItem).flatMap(({ html }) => trimmedText(html) ?? []);
  return {
    product: header ?? textsOf(entry.products)?.[0],
    title: title ?? (header as string),
    url: trimmedText(entry.titleUrl),
    time: readTime(trimmedText(entry.time) ?? '', options),
    items: objectsOf(entry.subtitles).flatMap(({ name, url }) => {
      const text = trimmedText(name);
      return text === undefined ? [] : [{ name: text, url: trimmedText(url) }];
    }),
    details: objectsOf(entry.details).flatMap(({ name }) => trimmedText(name) ?? []),
    places: objectsOf(entry.locationInfos).flatMap(
      ({ name, source }) => trimmedText(name) ?? trimmedText(source) ?? [],
    ),
    files: ['attachedFiles', 'imageFile', 'imageFiles', 'audioFiles', 'files'].flatMap((name) =>
      readFiles(entry[name]),
    ),
    response: answers.length === 0 ? undefined : readHtmlText(answers.join('\n')),
  };
}

/** Returns the names: one or several, each a text or an object. */
function readFiles(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(readFiles);
  const name = isObject(value) ? (value.name ?? value.fileName ?? value.url) : value;
  const text = trimmedText(name);
  return text === undefined ? [] : [text];
}
