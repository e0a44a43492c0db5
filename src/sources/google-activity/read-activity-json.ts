import type { ImportOptions, InputFile, Yielded } from '../../import/importer.ts';
import { readHtmlText } from '../../import/read/html-text.ts';
import { readJsonElements } from '../../import/read/read-json.ts';
import { readTime } from '../../import/read/read-time.ts';
import { isObject, listObjects, listTexts, readText } from '../values/json-values.ts';
import { type Activity, fileActivity } from './activity-record.ts';

export async function* readActivityJson(file: InputFile, options: ImportOptions): AsyncGenerator<Yielded> {
  for await (const element of readJsonElements(file, ['*'])) {
    if (element.kind === 'problem') {
      yield { ...element, file };
      continue;
    }
    const place = `entry ${Number(element.path[0]) + 1}`;
    const activity = isObject(element.value) ? readEntry(element.value, options) : undefined;
    if (activity === undefined) yield { kind: 'problem', file, place, reason: 'is not an entry of activity' };
    else yield { kind: 'record', ...fileActivity(activity), place, file };
  }
}

function readEntry(entry: Record<string, unknown>, options: ImportOptions): Activity | undefined {
  const header = readText(entry.header);
  const title = readText(entry.title) ?? readText(entry.description);
  if (title === undefined && header === undefined) return undefined;
  const answers = listObjects(entry.safeHtmlItem).flatMap(({ html }) => readText(html) ?? []);
  return {
    product: header ?? listTexts(entry.products)[0],
    title: title ?? (header as string),
    url: readText(entry.titleUrl),
    time: readTime(readText(entry.time) ?? '', options),
    items: listObjects(entry.subtitles).flatMap(({ name, url }) => {
      const text = readText(name);
      return text === undefined ? [] : [{ name: text, url: readText(url) }];
    }),
    details: listObjects(entry.details).flatMap(({ name }) => readText(name) ?? []),
    places: listObjects(entry.locationInfos).flatMap(
      ({ name, source }) => readText(name) ?? readText(source) ?? [],
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
  const text = readText(name);
  return text === undefined ? [] : [text];
}
