import type { AnyRow } from '../../import/guess/guess-stream.ts';
import { ID_NAME } from '../../import/guess/unique-columns.ts';
import { isScalar } from './json-shape-tree.ts';

/** What tells to which row a row of an inner list belongs: `match_id`, the name of a friend. */
export type RowContext = Readonly<Record<string, unknown>>;

const MAX_CHARACTERS = 200;
const MAX_IDS = 5;
const MAX_TEXTS = 3;
const LABEL =
  /^(?:(?:user|display|full|friend|chat|channel|thread|group|list|playlist|contact)[ _-]?)?(?:name|title)$|^(?:user|username|email|chat|conversation|thread|channel|with|subject|label)$/i;

/**
 * The ids and names of a row, for the rows of its inner lists; where it has none, its first words. Counts and times are
 * no part of it: they change from export to export, and the key of a row may be made of all that it holds.
 */
export function pickContext(row: AnyRow): RowContext {
  const short = Object.entries(row).filter(
    ([, value]) => isScalar(value) && isTelling(value) && String(value).length <= MAX_CHARACTERS,
  );
  const ids = short.filter(([name]) => ID_NAME.test(name) || LABEL.test(name)).slice(0, MAX_IDS);
  const texts = short.filter(([, value]) => typeof value === 'string').slice(0, MAX_TEXTS);
  return Object.fromEntries(ids.length > 0 ? ids : texts);
}

const isTelling = (value: unknown) =>
  typeof value === 'string' ? value.trim() !== '' : typeof value === 'number';

/**
 * Adds what is known of the rows around to a row. Its own columns keep their names; `prefix` tells the others apart.
 * `onColumn` is told what the others are called.
 */
export function addContext(
  row: AnyRow,
  context: RowContext,
  prefix: string,
  onColumn?: (name: string) => void,
): AnyRow {
  const around = Object.entries(context).map(([name, value]) => [
    Object.hasOwn(row, name) ? `${prefix}.${name}` : name,
    value,
  ]);
  for (const [name] of around) onColumn?.(name as string);
  return around.length === 0 ? row : { ...row, ...Object.fromEntries(around) };
}
