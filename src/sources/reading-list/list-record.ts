import { dropEmpty } from '../values/drop-empty.ts';

/** A saved page or a highlight as a service tells of it; what it does not tell is undefined. */
export interface ListRecord {
  readonly stream: 'bookmarks' | 'highlights';
  readonly id?: string | undefined;
  readonly title?: string | undefined;
  readonly url?: string | undefined;
  readonly author?: string | undefined;
  readonly folder?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly state?: string | undefined;
  readonly is_favorite?: boolean | undefined;
  readonly description?: string | undefined;
  readonly note?: string | undefined;
  readonly progress?: number | undefined;
  readonly added_at?: string | undefined;
  readonly updated_at?: string | undefined;
  readonly published_at?: string | undefined;
  readonly text?: string | undefined;
  readonly color?: string | undefined;
  readonly location?: string | undefined;
  readonly highlighted_at?: string | undefined;
}

/** The record without what is not there, or undefined where it names neither a page nor a passage. */
export function toData({ stream, ...fields }: ListRecord): Record<string, unknown> | undefined {
  if (stream === 'highlights') return fields.text ? dropEmpty(fields) : undefined;
  if (!fields.url && !fields.title) return undefined;
  return dropEmpty({ ...fields, host: hostOf(fields.url) });
}

function hostOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : undefined;
}
