import type { SearchHits } from '../../src/views/search-hits.ts';
import { Chip, Empty, formatTime } from './layout.tsx';
import { recordHref } from './links.ts';

/** Search results, best first. */
export function Hits(props: { hits: SearchHits; zone: string; as: string | undefined; where: string }) {
  const { hits, zone, as, where } = props;
  if (hits.results.length === 0) {
    return (
      <Empty title="Nothing found">
        <p>No records in {where} match. Try fewer or different words.</p>
      </Empty>
    );
  }
  return (
    <>
      {hits.warnings.includes('words_relaxed') && (
        <p class="notice">
          No record contains all of these words. These contain some of them.
          {hits.warnings.includes('also_may_help') && ' Try synonyms to find more.'}
        </p>
      )}
      <ol class="hits">
        {hits.results.map((hit) => (
          <li>
            <a href={recordHref(hit.id, as)}>
              <Marked text={hit.title} />
            </a>
            {hit.text !== undefined && !repeatsTitle(hit.text, hit.title) && (
              <p class="excerpt">
                <Marked text={hit.text} />
              </p>
            )}
            <p class="muted small">
              <Chip>{hits.connections[hit.connection_id] ?? hit.connection_id}</Chip>{' '}
              {hits.streams[`${hit.connection_id}/${hit.stream}`] ?? hit.stream}
              {` · ${hit.time === undefined ? 'no date' : showTime(hit.time, zone)}`}
              {hit.status !== undefined && ` · ${hit.status}`}
              {hit.who !== undefined && ` · ${Object.values(hit.who).join(', ')}`}
              {hit.copies !== undefined && ` · ${hit.copies_total ?? hit.copies.length} similar`}
            </p>
          </li>
        ))}
      </ol>
    </>
  );
}

/** Whether the excerpt repeats the title. */
function repeatsTitle(text: string, title: string): boolean {
  const bare = (marked: string) => marked.replaceAll(/<\/?mark>|…$/g, '');
  return bare(title).length >= bare(text).length && bare(title).startsWith(bare(text));
}

function showTime(time: string, zone: string): string {
  return time.includes('T') ? formatTime(time, zone, 'minute') : formatTime(time, 'UTC', 'day');
}

/** Highlights matches. Search escapes these tags in record text, so only its own remain. */
function Marked({ text }: { text: string }) {
  return (
    <>{text.split(/<mark>(.*?)<\/mark>/s).map((part, i) => (i % 2 === 1 ? <mark>{part}</mark> : part))}</>
  );
}
