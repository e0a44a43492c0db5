import type { InputFile, Yielded } from '../../import/importer.ts';
import { readJson } from '../../import/read/read-json.ts';
import { formatTime, readEpoch } from '../../import/read/read-time.ts';
import { isObject, listObjects, readNumber, readText } from '../values/json-values.ts';
import type { BookmarkKeys } from './bookmark.ts';
import { CHROME_EPOCH_MS } from './history-kinds.ts';

const MOST_DEPTH = 100;

/** The file `Bookmarks` of a Chrome, Edge or Brave profile, or what Firefox keeps as a backup. */
export async function* readBookmarksJson(file: InputFile, keys: BookmarkKeys): AsyncGenerator<Yielded> {
  const whole = await readJson(file);
  if (whole.kind === 'broken') {
    yield { kind: 'problem', file, reason: whole.reason };
    return;
  }
  const { value } = whole;
  const roots = !isObject(value) ? [] : isObject(value.roots) ? Object.values(value.roots) : [value];
  for (const root of roots) if (isObject(root)) yield* walk(root, [], file, keys);
}

function* walk(
  node: Record<string, unknown>,
  folders: readonly string[],
  file: InputFile,
  keys: BookmarkKeys,
): Generator<Yielded> {
  const url = readText(node.url) ?? readText(node.uri);
  const title = readText(node.name) ?? readText(node.title);
  if (url !== undefined) {
    const at = (value: unknown) => readChromeTime(readNumber(value));
    const tags = readText(node.tags)?.split(',') ?? [];
    const data = keys.toRecord({
      url,
      title,
      folders,
      tags,
      description: undefined,
      addedAt: at(node.date_added) ?? readEpoch(node.dateAdded, 'us'),
      updatedAt: at(node.date_modified) ?? readEpoch(node.lastModified, 'us'),
    });
    yield { kind: 'record', stream: 'bookmarks', data, file };
  }
  if (folders.length >= MOST_DEPTH) return;
  for (const child of listObjects(node.children))
    yield* walk(child, title === undefined ? folders : [...folders, title], file, keys);
}

function readChromeTime(microseconds: number | undefined): string | undefined {
  if (microseconds === undefined || microseconds === 0) return undefined;
  return formatTime(Math.round(microseconds / 1_000) - CHROME_EPOCH_MS);
}
