import { dropEmpty, type JsonObject, textOf } from '../values/json.ts';

export type ListRecord = JsonObject & { readonly stream: 'bookmarks' | 'highlights' };

/** Removes empty fields. Returns undefined if there is neither a page nor a highlight. */
export function toData({ stream, ...fields }: ListRecord): JsonObject | undefined {
  if (stream === 'highlights') return fields.text ? dropEmpty(fields) : undefined;
  if (!fields.url && !fields.title) return undefined;
  const url = textOf(fields.url) ?? '';
  const host = URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : undefined;
  return dropEmpty({ ...fields, host });
}
