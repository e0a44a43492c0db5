import type { Match } from '../../reader/granted-record.ts';
import type { Variants } from '../../search/choose-spellings.ts';
import { drawMarks, findMarks } from '../../search/marks.ts';
import { makeSnippet } from '../../search/snippet.ts';
import { type EscapeCount, escapeText } from '../../text/escape-text.ts';
import { timeOf, titleOf } from '../record-view.ts';
import type { ReadHit } from './search-source.ts';
import { statusOf } from './search-who.ts';

/** How much of a record is looked through for the passage that is shown. */
export const SHOWN_CHARACTERS = 50_000;
/** Copies whose ids are told; of more only how many there are. */
const MOST_COPIES = 5;

/** How a page shows its hits. */
export interface HitStyle {
  readonly origin: string;
  readonly timeZone: string;
  readonly variants: readonly Variants[];
  readonly weights: readonly number[];
  readonly whoOf: (match: Match) => Record<string, string> | undefined;
}

/** A hit as an answer shows it. */
export function showHit(
  { candidate, texts, match }: ReadHit,
  copies: readonly string[],
  { origin, timeZone, variants, weights, whoOf }: HitStyle,
  escaped: EscapeCount,
) {
  const title = titleOf(match, timeZone);
  const snippet = makeSnippet(texts, variants, weights, SHOWN_CHARACTERS);
  const time = timeOf(match, timeZone);
  const who = whoOf(match);
  const status = statusOf(match);
  return {
    id: candidate.id,
    title: drawMarks(title, findMarks(title, variants)),
    url: `${origin}/r/${candidate.id}`,
    ...(snippet === undefined ? {} : { text: escapeText(snippet.text, escaped) }),
    ...(snippet?.characters === undefined ? {} : countCharacters(snippet.characters)),
    connection_id: match.stream.connection.connection_id,
    stream: match.stream.name,
    ...(who === undefined ? {} : { who }),
    ...(status === undefined ? {} : { status }),
    ...(time === undefined ? {} : { time }),
    ...(copies.length === 0 ? {} : { copies: copies.slice(0, MOST_COPIES) }),
    ...(copies.length <= MOST_COPIES ? {} : { copies_total: copies.length }),
  };
}

/** No more of a record is read than is looked through, so of a longer one no more is known than that it is longer. */
function countCharacters(characters: number) {
  return characters < SHOWN_CHARACTERS
    ? { text_chars: characters }
    : { text_chars_at_least: SHOWN_CHARACTERS };
}
