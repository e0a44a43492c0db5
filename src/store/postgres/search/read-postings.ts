import type { Spelling } from '../../../words/match-terms.ts';
import { splitIndexText } from '../../postings/index-words.ts';
import { COLUMN_SPAN, decodePositions } from '../../postings/posting-list.ts';
import { PostingCounter } from '../../search/count-postings.ts';
import type { FieldRoles, MatchPart, Postings } from '../../search-reads.ts';
import type { OwnerQueries } from '../owner-queries.ts';
import { filterVisible } from './filter-visible.ts';
import type { SnapshotDatabase } from './join-snapshots.ts';
import { readPrefix, readWords, type WordScope } from './read-words.ts';
import { searchScope, wordScope } from './search-scope.ts';
import { type WordCache, wordCache } from './word-cache.ts';
import type { WordPostings } from './word-postings.ts';

const ALL = { from: 0, to: Number.POSITIVE_INFINITY };

/** Reads where a spelling occurs in the granted columns of visible records, from the index and not from texts. */
export async function readPostings(
  database: SnapshotDatabase,
  parts: readonly MatchPart[],
  roles: FieldRoles,
  spelling: Spelling,
): Promise<Postings> {
  const cache = wordCache(database, parts);
  if (searchScope(parts).limited.size === 0) return countPostings(database, parts, roles, spelling, cache);
  return database.snapshot((queries) =>
    countPostings({ ...queries, ownerId: database.ownerId }, parts, roles, spelling, cache),
  );
}

async function countPostings(
  db: OwnerQueries,
  parts: readonly MatchPart[],
  roles: FieldRoles,
  { word, isPrefix }: Spelling,
  cache: WordCache | undefined,
): Promise<Postings> {
  const counter = new PostingCounter(parts, roles);
  const { masks, limited, streamIds } = searchScope(parts);
  const [only, ...others] = splitIndexText(word);
  // The index holds single words.
  if (only !== word || others.length > 0 || streamIds.length === 0) return counter.pack();
  const scope = wordScope(db, parts);
  const found = isPrefix ? await readPrefix(scope, word) : [await readWord(scope, word, cache)];
  const rids = new Set<number>();
  if (limited.size > 0) {
    for (const postings of found) postings.visit(masks, ALL.from, ALL.to, (rid) => rids.add(rid));
    const visible = new Set(await filterVisible(db, parts, [...rids]));
    for (const rid of rids) if (!visible.has(rid)) rids.delete(rid);
  }
  for (const postings of found)
    postings.visit(masks, ALL.from, ALL.to, (rid, columns, bytes, start, end) => {
      if (limited.size > 0 && !rids.has(rid)) return;
      for (const position of decodePositions(bytes, start, end)) {
        const column = Math.floor(position / COLUMN_SPAN);
        if ((columns & (1 << column)) !== 0) counter.add(rid, column, position % COLUMN_SPAN);
      }
    });
  return counter.pack();
}

async function readWord(scope: WordScope, word: string, cache: WordCache | undefined): Promise<WordPostings> {
  const cached = cache?.get(word);
  if (cached !== undefined) return cached;
  const postings = (await readWords(scope, [word], {})).get(word) as WordPostings;
  cache?.add(word, postings);
  return postings;
}
