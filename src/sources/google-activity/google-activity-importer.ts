import type { Importer, ImportItem, ImportOptions, InputFile } from '../../import/importer.ts';
import { peekText } from '../../import/read/decode-text.ts';
import { hashKey } from '../../import/read/hash-key.ts';
import { readHtmlText } from '../../import/read/html-text.ts';
import { readJsonElements } from '../../import/read/read-json.ts';
import { readTime } from '../../import/read/read-time.ts';
import { openScratch } from '../../store/sqlite/scratch.ts';
import { SeenKeys } from '../files/seen-keys.ts';
import { makeNote, makeProblem, readEach } from '../files/yielded.ts';
import { isObject, objectsOf, textsOf, trimmedText } from '../values/json.ts';
import { type Activity, fileActivity } from './activity-record.ts';
import { googleActivityDeclaration } from './google-activity-declaration.ts';
import { readActivityHtml } from './read-activity-html.ts';
import { detectYoutubeTable, readYoutubeTable } from './youtube-tables.ts';

/** My Activity and YouTube: its history as JSON or as the pages that Google makes by default, and its tables. */
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
    waiting: 'Minutes to some hours.',
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

/** A video is in two histories and is kept once; other entries under one key are kept unless they are equal. */
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
  if (copies > 0) yield makeNote(file, `${copies} entries are in the export twice and are kept once`);
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
const FURTHEST = 4 * 2 ** 20;

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
    if (read > FURTHEST) break;
  }
  return false;
}

async function* readActivityJson(file: InputFile, options: ImportOptions): AsyncGenerator<ImportItem> {
  yield* readEach(file, readJsonElements(file, ['*']), function* (element) {
    const place = `entry ${Number(element.path[0]) + 1}`;
    const activity = isObject(element.value) ? readEntry(element.value, options) : undefined;
    if (activity === undefined) yield makeProblem(file, 'is not an entry of activity', place);
    else yield { kind: 'record', ...fileActivity(activity), place, file };
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

/** One name or several, each as a text or as an object that has it. */
function readFiles(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(readFiles);
  const name = isObject(value) ? (value.name ?? value.fileName ?? value.url) : value;
  const text = trimmedText(name);
  return text === undefined ? [] : [text];
}
