import { isolateOwners } from './isolate-owners.ts';

const text = 'text collate "C"';

/** The words of records: see docs/decisions/postgres-word-index.md. */
export const wordsSchema = `
  -- Posting lists, each of one word and one stream, from a row id to the next block.
  create table word_blocks (
    owner_id integer not null references owners, term ${text} not null, stream_id integer not null,
    first_rid bigint not null, data bytea not null, primary key (owner_id, term, stream_id, first_rid)
  ) with (autovacuum_vacuum_scale_factor = 0.05);
  alter table word_blocks alter column data set storage external;
  -- Batches that are not merged into blocks yet. A later one overrides earlier ones and the blocks.
  create table word_segments (
    owner_id integer not null references owners, segment_id bigint generated always as identity,
    stream_id integer not null, bytes integer not null, primary key (owner_id, segment_id)
  );
  create table word_chunks (
    owner_id integer not null, segment_id bigint not null, first_term ${text} not null, data bytea not null,
    primary key (owner_id, segment_id, first_term),
    foreign key (owner_id, segment_id) references word_segments on delete cascade
  );
  alter table word_chunks alter column data set storage external;
  -- Words that typing errors are compared with, in the order in which they were committed.
  create table lexicon (
    owner_id integer not null references owners, id bigint generated always as identity, word ${text} not null,
    primary key (owner_id, id), unique (owner_id, word)
  );
  ${isolateOwners('word_blocks', 'word_segments', 'word_chunks', 'lexicon')}
`;
