import type { ImportOptions } from '../../import/importer.ts';
import { readTime } from '../../import/read/read-time.ts';
import { dropEmpty } from '../values/json.ts';
import { splitList } from '../values/words.ts';
import type { NotionPage } from './notion-page.ts';

interface NotionPlace {
  readonly id: string;
  readonly folders: readonly string[];
  readonly parent_id: string | undefined;
  readonly database: string | undefined;
}

const CREATED =
  /^(?:created(?: time| at| on)?|date created|creation date|erstellt(?: am)?|fecha de creación|date de création)$/i;
const EDITED =
  /^(?:last edited(?: time| at)?|last updated|updated(?: at)?|last modified|zuletzt bearbeitet|última edición|dernière modification)$/i;
const TAGS = /^(?:tags?|labels?|schlagwörter|etiquetas|étiquettes)$/i;

/** The record of a page. Only properties tell its times. */
export function toNote(
  page: NotionPage,
  place: NotionPlace,
  options: ImportOptions,
): Record<string, unknown> {
  const find = (name: RegExp) => Object.entries(page.properties).find(([key]) => name.test(key))?.[1];
  const time = (name: RegExp) => readTime((find(name) ?? '').replace(/^@/, ''), options);
  const files = page.targets.filter((target) => !/^[a-z][a-z0-9+.-]*:|^#|^\//i.test(target)).map(decode);
  const created_at = time(CREATED);
  return dropEmpty({
    id: place.id,
    title: page.title,
    text: page.text,
    folder: place.folders.join('/'),
    tags: splitList(find(TAGS), /[,;]/),
    created_at,
    edited_at: time(EDITED) ?? created_at,
    attachments: files.filter((path) => !/\.(?:md|html?|csv)$/i.test(path)).map(nameOf),
    links: [...new Set(page.targets.filter((target) => /^https?:/i.test(target)))],
    parent_id: place.parent_id,
    database: place.database,
    properties: Object.keys(page.properties).length === 0 ? undefined : page.properties,
  });
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

function decode(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}
