import type { Importer, ImportOptions, InputFile } from '../../import/importer.ts';
import { peekText } from '../../import/read/decode-text.ts';
import { parseExactJson, readJsonElements } from '../../import/read/read-json.ts';
import { declareSource, declareStream } from '../declare.ts';
import { declareAttachments } from '../declare-attachments.ts';
import { makeProblem, makeRecord, readEach, withFiles } from '../files/import-items.ts';
import { recogniseFiles } from '../files/recognise-files.ts';
import {
  dropEmpty,
  firstText,
  integerOf,
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  textOf,
  textsOf,
  timeOf,
} from '../values/json.ts';
import { listMedia, locateMedia, nameMedia } from './entry-media.ts';

const streams = declareSource('day-one', 'Day One', [
  declareStream('entries', 'Diary entries', {
    description: 'Entries of a diary with their text and time.',
    detail: 'Your diary, in full, with places and weather.',
    time: 'created_at',
    view: { label: 'Titles and days', fields: ['id', 'journal', 'title', 'day', 'created_at'] },
    search: ['title', 'text', 'tags', 'place', 'city', 'journal', 'music'],
    fields: {
      id: 'text',
      journal: 'text',
      title: 'text: The first line',
      text: 'text',
      created_at: 'time: The time of the entry',
      day: 'date: The day in the time zone of the place',
      edited_at: 'time',
      time_zone: 'text',
      tags: 'list',
      is_starred: 'flag',
      is_pinned: 'flag',
      is_all_day: 'flag',
      place: 'text',
      city: 'text',
      region: 'text',
      country: 'text',
      latitude: 'number',
      longitude: 'number',
      weather: 'text',
      temperature_celsius: 'number',
      activity: 'text: Such as Walking or Stationary',
      steps: 'integer',
      music: 'text: What was playing',
      photos: 'integer: How many photos are in it',
      attachments: 'list: Names of photos, videos, sounds and PDFs',
      device: 'text',
    },
  }),
]);

const dayOneDeclaration = declareAttachments(streams, 'entries');

export const dayOneImporter: Importer = {
  format: 'day-one',
  title: 'Day One',
  fillsArchive: true,
  identity: { entries: ['journal', 'created_at', 'text'] },
  guide: {
    steps: [
      'In Day One, open Settings, Import/Export, Export (on a Mac: File, Export, JSON).',
      'Choose “JSON” and all journals, and drop the zip here.',
    ],
    waiting: 'Immediately.',
  },
  recognise: (files) => recogniseFiles(files, async (file) => isJournal(await peekText(file))),
  declare: async () => dayOneDeclaration,
  async *read({ files }, options) {
    for (const file of files) {
      const journal = nameOf(file);
      yield* readEach(file, readJsonElements(file, ['entries.*']), function* (element) {
        const place = `entry ${Number(element.path[1]) + 1}`;
        if (!isObject(element.value)) yield makeProblem(file, 'is not an entry', place);
        else {
          const data = readEntry(element.value, journal, options);
          yield withFiles(
            makeRecord(file, 'entries', data, place),
            listMedia(element.value).map(locateMedia),
          );
        }
      });
    }
  },
};

/** Checks the dates of the first entry, or the keys before it if its text is too long. */
function isJournal(head: string): boolean {
  if (!/^\s*\{/.test(head) || !/"entries"\s*:\s*\[\s*\{/.test(head)) return false;
  const hasDates =
    /"creationDate"\s*:\s*"/.test(head) && /"(?:uuid|creationDevice|modifiedDate|richText)"\s*:/.test(head);
  const isVersioned = /^\s*\{\s*"metadata"\s*:\s*\{\s*"version"/.test(head);
  return (
    hasDates || (isVersioned && /"(?:starred|creationDevice|editingTime|isAllDay|richText)"\s*:/.test(head))
  );
}

function nameOf({ path }: InputFile): string {
  return (path.split('/').at(-1) ?? path).replace(/\.json$/i, '').replace(/ \(\d+\)$/, '');
}

const MAX_TITLE_CHARACTERS = 200;

/**
 * One of `entries[]`. The time of an entry is its creationDate, which a person can set; modifiedDate is the last
 * edit.
 */
function readEntry(entry: JsonObject, journal: string, options: ImportOptions): Record<string, unknown> {
  const created_at = timeOf(entry.creationDate, options);
  const time_zone = textOf(entry.timeZone);
  const written = cleanText(textOf(entry.text)) || readRichText(entry.richText);
  const spoken = listOf(entry.audios).flatMap((audio) => textOf(objectOf(audio).transcription) ?? []);
  const fullText = [written, ...spoken].filter((part) => part !== '').join('\n\n');
  const location = objectOf(entry.location);
  const weather = objectOf(entry.weather);
  const music = objectOf(entry.music);
  return dropEmpty({
    id: textOf(entry.uuid),
    journal,
    title: findTitle(fullText),
    text: fullText,
    created_at,
    day: created_at === undefined ? undefined : dayIn(created_at, time_zone ?? options.timeZone),
    edited_at: timeOf(entry.modifiedDate, options),
    time_zone,
    tags: textsOf(entry.tags),
    is_starred: isSet(entry.starred),
    is_pinned: isSet(entry.isPinned) ?? isSet(entry.pinned),
    is_all_day: isSet(entry.isAllDay),
    place: firstText(location.userLabel, location.placeName),
    city: textOf(location.localityName),
    region: textOf(location.administrativeArea),
    country: textOf(location.country),
    latitude: degreesOf(location.latitude, 90),
    longitude: degreesOf(location.longitude, 180),
    weather: textOf(weather.conditionsDescription),
    temperature_celsius: numberOf(weather.temperatureCelsius),
    activity: textOf(objectOf(entry.userActivity).activityName),
    steps: integerOf(objectOf(entry.userActivity).stepCount),
    music: [textOf(music.track), textOf(music.artist)].filter((part) => part !== undefined).join(' – '),
    photos: listOf(entry.photos).length || undefined,
    attachments: listMedia(entry).flatMap(({ media }) => nameMedia(media) ?? []),
    device: textOf(entry.creationDevice),
  });
}

const isSet = (value: unknown) => value === true || value === 1 || undefined;
const numberOf = (value: unknown) =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

function degreesOf(value: unknown, max: number): number | undefined {
  const degrees = numberOf(value);
  return degrees !== undefined && Math.abs(degrees) <= max ? degrees : undefined;
}

/** Day One escapes Markdown characters in text and refers to photos by id. */
function cleanText(text: string | undefined): string {
  return (text ?? '')
    .replace(/!\[[^\]\n]{0,500}\]\(dayone-moment:[^)\n]{0,500}\)/g, '')
    .replace(/\\([\\/.!()[\]{}*_+#>~`|-])/g, '$1')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** Reads the text of an entry without Markdown: JSON in a string, a list of runs with attributes. */
function readRichText(written: unknown): string {
  const text = textOf(written);
  if (text === undefined) return '';
  const parsed = parseExactJson(text);
  if (parsed.kind === 'broken') return '';
  const runs = listOf(objectOf(parsed.value).contents).map(objectOf);
  return runs
    .map((run) => `${markOf(run)}${typeof run.text === 'string' ? run.text : ''}`)
    .join('')
    .trim();
}

/** Headings and lists, by the attributes of a line. */
function markOf(run: JsonObject): string {
  const line = objectOf(objectOf(run.attributes).line);
  const header = integerOf(line.header) ?? 0;
  if (header > 0 && header <= 6) return `${'#'.repeat(header)} `;
  if (line.listStyle === 'checkbox') return line.checked === true ? '- [x] ' : '- [ ] ';
  if (line.listStyle === 'bulleted') return '- ';
  return line.listStyle === 'numbered' ? `${integerOf(line.listIndex) ?? 1}. ` : '';
}

function findTitle(text: string): string | undefined {
  const line = text.split('\n', 1)[0] ?? '';
  return (
    line
      .replace(/^#+\s*/, '')
      .trim()
      .slice(0, MAX_TITLE_CHARACTERS) || undefined
  );
}

/** The local date. An unknown zone counts as UTC. */
function dayIn(time: string, timeZone: string): string {
  try {
    return new Intl.DateTimeFormat('en-CA', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    }).format(new Date(time));
  } catch {
    return time.slice(0, 10);
  }
}
