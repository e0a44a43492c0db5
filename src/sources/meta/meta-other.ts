import type { ImportItem, InputFile } from '../../import/importer.ts';
import { repairMojibakeInside } from '../../import/read/decode-text.ts';
import { readJsonElements } from '../../import/read/read-json.ts';
import { readEpoch } from '../../import/read/read-time.ts';
import { makeRecord, readEach } from '../files/import-items.ts';
import { type FileProbe, probeFile } from '../files/recognise-files.ts';
import { firstText, type JsonObject, objectOf, someOf, textOf } from '../values/json.ts';

const MAX_VALUES = 100;
const MAX_DEPTH = 8;
const MAX_VALUE_CHARACTERS = 2_000;

/** Folders that only these exports have. */
const FOLDER =
  /(^|\/)(your_(?:instagram|facebook)_activity|your_activity_across_facebook|ads_information|ads_and_businesses|apps_and_websites_off_of_(?:instagram|facebook)|logged_information|security_and_login_information)\//;
/** JSON paths that only these exports have. */
const META_PATH = /(?:^|\]\.|\.)(?:string_map_data|string_list_data)(?:[.[]|$)|^(?:\[\]\.)?label_values\[\]/;

/** Returns whether a file is a part without a stream of its own: ads, logins, devices, settings. */
export function isMetaOther({ path, outline }: FileProbe): boolean {
  if (outline.size === 0) return false;
  return FOLDER.test(path) || [...outline].some((place) => META_PATH.test(place));
}

/** Reads a file of any shape: a record per list item, and one for the other values. */
export async function* readMetaOther(file: InputFile): AsyncGenerator<ImportItem> {
  const { outline } = await probeFile(file);
  const name = (file.path.split('/').at(-1) ?? '').replace(/\.json$/i, '');
  const isWhole = outline.has('label_values[]') || (!outline.has('[]') && !hasItems(outline));
  const rest: JsonObject = {};
  yield* readEach(
    file,
    readJsonElements(file, [isWhole || outline.has('[]') ? '*' : '*.*']),
    function* (element) {
      const [first, second] = element.path;
      const at = second ?? first;
      const value = repairMojibakeInside(element.value);
      if (typeof at !== 'number') {
        rest[element.path.join('.')] = value;
        return;
      }
      const list = second === undefined ? name : String(first);
      yield makeRecord(file, 'other', readItem(value, list), `item ${at + 1}`);
    },
  );
  if (Object.keys(rest).length > 0) yield makeRecord(file, 'other', readItem(rest, name));
}

/** Returns whether there is a list or an object under one of the top-level keys. */
const hasItems = (outline: ReadonlySet<string>) =>
  [...outline].some((place) => /^[^.[]+(?:\[\]|\.)/.test(place));

function readItem(value: unknown, list: string): JsonObject {
  const item = objectOf(value);
  const found: Found = { values: [], url: undefined, timestamp: undefined };
  collectValues(value, '', found, 0);
  return {
    list,
    title: firstText(item.title, item.name, item.advertiser_name),
    values: someOf(found.values),
    url: found.url,
    created_at: readEpoch(found.timestamp, 's'),
  };
}

interface Found {
  readonly values: string[];
  url: string | undefined;
  timestamp: number | undefined;
}

/** Keys that only structure the values and are no labels. */
const STRUCTURE_KEY =
  /^(?:string_map_data|string_list_data|label_values|dict|vec|value|href|media_map_data)$/;
const TIME = /(?:^|_)(?:timestamp|time)(?:_ms|_value)?$/;

/** Collects `label: value` at any depth. */
function collectValues(value: unknown, label: string, found: Found, depth: number): void {
  if (depth > MAX_DEPTH || found.values.length >= MAX_VALUES) return;
  if (Array.isArray(value)) for (const one of value) collectValues(one, label, found, depth + 1);
  else if (typeof value === 'object' && value !== null) {
    const own = textOf((value as JsonObject).label) ?? label;
    for (const [name, inner] of Object.entries(value)) {
      if (name === 'label') continue;
      if (TIME.test(name) && typeof inner === 'number') {
        if (inner > 0) found.timestamp ??= name.endsWith('_ms') ? inner / 1_000 : inner;
      } else collectValues(inner, STRUCTURE_KEY.test(name) ? own : name, found, depth + 1);
    }
  } else {
    const text = typeof value === 'boolean' ? String(value) : textOf(value);
    if (text === undefined) return;
    if (/^https?:\/\//.test(text)) found.url ??= text;
    const cut = text.slice(0, MAX_VALUE_CHARACTERS).toWellFormed();
    found.values.push(label === '' ? cut : `${label}: ${cut}`);
  }
}
