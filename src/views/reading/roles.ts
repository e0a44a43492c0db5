import type { GrantedReader } from '../../reader/granted-reader.ts';
import type { GrantedStream } from '../../reader/granted-stream.ts';
import type { Relationship } from '../../schema-index/declaration.ts';
import type { Field } from '../../schema-index/field.ts';
import { AUTHOR_FIELDS, OWNER_FLAGS } from '../../schema-index/person-field.ts';

/** What the fields of a stream are to a reader: who says what under which heading. By what is granted alone. */
export interface Roles {
  /** Fields that name who wrote a record, the best first. */
  readonly authors: readonly string[];
  /** Relations to who wrote it, where a field only has their id. */
  readonly writers: readonly Relationship[];
  /** What was said. */
  readonly body: string | undefined;
  /** The record's own heading. */
  readonly title: string | undefined;
  /** The heading of the talk that a message belongs to, which says nothing of the message itself. */
  readonly talk: string | undefined;
  /** Whether the owner wrote it. */
  readonly mine: string | undefined;
  /** Whether the app it is from leaves it out of the talk. */
  readonly aside: string | undefined;
}

const LATE_AUTHORS = ['username', 'handle', 'user', 'role'];
const WRITERS = /^(user|sender|author|writer|from|member|creator)$/;
const BODIES = ['text', 'body', 'content', 'message', 'transcript', 'comment', 'note'];
const ASIDE = ['is_hidden', 'hidden'];

export function findRoles(stream: GrantedStream, reader: GrantedReader): Roles {
  const { fields, relations, titleField } = stream;
  const having = (names: readonly string[], fits: (field: Field) => boolean) =>
    names.filter((name) => {
      const field = fields.get(name);
      return field !== undefined && fits(field);
    });
  const isWord = ({ kind }: Field) => kind === 'string';
  const prose = [...fields.values()].filter(({ kind }) => kind === 'text').map(({ name }) => name);
  const parents = relations.filter(({ cardinality }) => cardinality === 'has_one');
  const writers = parents.filter(
    (one) =>
      (WRITERS.test(one.name) || AUTHOR_FIELDS.includes(one.foreign_key)) && one.stream !== stream.name,
  );
  const body = BODIES.find((name) => prose.includes(name)) ?? prose[0];
  const authors = having([...AUTHOR_FIELDS, ...LATE_AUTHORS], isWord);
  // A mail has a subject of its own, also where its thread has the same.
  const isOfTalk =
    body !== undefined &&
    titleField !== 'subject' &&
    parents.some((one) => reader.target(stream, one).titleField === titleField && !writers.includes(one));
  const isBody = titleField === body;
  return {
    authors,
    writers,
    body,
    title: isOfTalk || isBody ? undefined : titleField,
    talk: isOfTalk ? titleField : undefined,
    mine: having(OWNER_FLAGS, ({ kind }) => kind === 'boolean')[0],
    aside: having(ASIDE, ({ kind }) => kind === 'boolean')[0],
  };
}

/** Whether records of the stream are things that somebody said. */
export function isSpoken({ authors, writers, body }: Roles): boolean {
  return body !== undefined && authors.length + writers.length > 0;
}
