import { INDEXED_SLOTS } from '../../scope.ts';
import { slotNumbers } from '../slot-values.ts';
import { isolateOwners } from './isolate-owners.ts';

/** Byte order of UTF-8 is the order of code points. */
const text = 'text collate "C"';
const slots = slotNumbers.map((slot) => `s${slot}n double precision, s${slot}t ${text}`).join(', ');

/** Partial, because most slots of most streams are empty. `key` ends every index, so that (t, key) order comes from it. */
const slotIndexes = slotNumbers
  .slice(0, INDEXED_SLOTS)
  .flatMap((slot) => [`s${slot}n`, `s${slot}t`])
  .map(
    (column) =>
      `create index records_${column} on records (owner_id, stream_id, ${column}, t, key) where ${column} is not null;`,
  )
  .join('\n  ');

/**
 * Records, their history and their indexes. Slots are numbers and texts, see slot-values.ts. Comparisons of `numeric` are
 * not leakproof: under row-level security no index could serve them.
 */
export const recordsSchema = `
  create table records (
    owner_id integer not null, stream_id integer not null, key ${text} not null, t bigint not null,
    rid bigint not null, emitted_at bigint not null, seq bigint not null,
    -- Bytes of the record as JSON.
    size integer not null,
    -- The number of words in each text column, see word-lengths.ts.
    word_counts bytea not null,
    ${slots}, data ${text} not null, primary key (owner_id, stream_id, key)
  );
  create unique index records_rid on records (owner_id, rid);
  create index records_time on records (owner_id, stream_id, t, key);
  create index records_seq on records (owner_id, stream_id, seq, t);
  ${slotIndexes}
  create table history (
    owner_id integer not null, stream_id integer not null, key ${text} not null, from_seq bigint not null,
    to_seq bigint not null, t bigint not null, emitted_at bigint not null, ${slots},
    -- Null once the record was deleted; # and the change number if the version is large.
    data ${text}, primary key (owner_id, stream_id, key, from_seq)
  );
  create index history_to on history (owner_id, stream_id, to_seq, t);
  create table deletions (
    owner_id integer not null, stream_id integer not null, key ${text} not null, emitted_at bigint not null,
    seq bigint not null, primary key (owner_id, stream_id, key)
  );
  create table days (
    owner_id integer not null, stream_id integer not null, day bigint not null, n bigint not null,
    primary key (owner_id, stream_id, day)
  );

  -- Large records a second time, field by field, under the number of the change that wrote them.
  create table large_records (
    owner_id integer not null, stream_id integer not null, seq bigint not null, key ${text} not null,
    primary key (owner_id, stream_id, seq)
  );
  create index large_records_key on large_records (owner_id, stream_id, key);
  create table large_fields (
    owner_id integer not null, seq bigint not null, field ${text} not null, type text not null,
    value ${text} not null, hash text, items ${text}, json_chars integer not null, chars integer not null,
    lines integer not null, escapes integer not null, primary key (owner_id, seq, field)
  );
  create table large_pieces (
    owner_id integer not null, seq bigint not null, field ${text} not null, start integer not null,
    shown_start integer not null, lines integer not null, text ${text} not null,
    primary key (owner_id, seq, field, start)
  );
  create table large_past (
    owner_id integer not null, seq bigint not null, data ${text} not null, primary key (owner_id, seq)
  );
  ${isolateOwners('records', 'history', 'deletions', 'days', 'large_records', 'large_fields', 'large_pieces', 'large_past')}
`;
