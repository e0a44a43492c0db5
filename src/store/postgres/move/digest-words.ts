import type { WordDigest } from '../../move/word-digest.ts';
import { decodePositions } from '../../postings/posting-list.ts';
import { readChunk } from '../../postings/segment.ts';
import { compareText } from '../../values.ts';
import { readWords, type WordScope } from '../search/read-words.ts';
import { sql } from '../sql.ts';

/** Words that are read at once. A common word may have megabytes. */
const PAGE_WORDS = 200;
const ALL_COLUMNS = 0xff;

/** Adds every word of some streams to a digest, from blocks and segments. */
export async function digestWords(scope: WordScope, digest: WordDigest, onWord: () => void): Promise<void> {
  const masks = new Map(scope.streamIds.map((streamId) => [streamId, ALL_COLUMNS]));
  const fresh = await listFreshWords(scope);
  let after = '';
  for (;;) {
    const page = await listPage(scope, fresh, after);
    const last = page.at(-1);
    if (last === undefined) return;
    for (const [word, postings] of await readWords(scope, page, {})) {
      digest.startWord(word);
      onWord();
      postings.visit(masks, 0, Number.MAX_SAFE_INTEGER, (rid, _columns, bytes, start, end) => {
        for (const position of decodePositions(bytes, start, end)) digest.add(rid, position);
      });
    }
    after = last;
  }
}

/** Returns the words in segments, in order. Their number is limited, because segments are merged. */
async function listFreshWords({ queries, ownerId }: WordScope): Promise<string[]> {
  const chunks = await queries.query<{ data: Buffer }>(
    sql`select data from word_chunks where owner_id = ${ownerId}`,
  );
  const words = new Set<string>();
  for (const { data } of chunks) for (const { key } of readChunk(data)) words.add(key);
  return [...words].sort(compareText);
}

/** Returns the next words of blocks and segments. */
async function listPage(
  { queries, ownerId }: WordScope,
  fresh: readonly string[],
  after: string,
): Promise<string[]> {
  const rows = await queries.query<{ term: string }>(sql`
    select distinct term from word_blocks where owner_id = ${ownerId} and term > ${after}
    order by term limit ${PAGE_WORDS}`);
  const stored = rows.map(({ term }) => term);
  const end = stored.length < PAGE_WORDS ? undefined : stored.at(-1);
  const others = fresh.filter(
    (word) => compareText(word, after) > 0 && (end === undefined || compareText(word, end) <= 0),
  );
  return [...new Set([...stored, ...others])].sort(compareText);
}
