import type { GrantedReader } from '../../reader/granted-reader.ts';
import type { GrantedStream } from '../../reader/granted-stream.ts';
import type { Relationship } from '../../schema-index/declaration.ts';
import type { Field } from '../../schema-index/field.ts';
import { AUTHOR_FIELDS, OWNER_FLAGS } from '../../schema-index/person-field.ts';
import { cutText } from '../../text/cut-text.ts';
import { escapeText } from '../../text/escape-text.ts';

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

type Data = Readonly<Record<string, unknown>>;

/** Writers that are looked up for one page; beyond them, their ids have to do. */
const MAX_WRITERS = 100;
const MAX_NAME_CHARACTERS = 200;

/** Names who wrote each record: "You", the name it holds, or the name of whom its id leads to. */
export async function nameWriters(
  stream: GrantedStream,
  roles: Roles,
  records: readonly Data[],
  reader: GrantedReader,
): Promise<(string | null)[]> {
  // A field that leads to a person holds an id, not a name.
  const ids = new Set(roles.writers.map(({ foreign_key }) => foreign_key));
  const owner = new Map<string, readonly string[]>();
  for (const name of [...roles.authors, ...ids]) owner.set(name, await reader.owner(stream, name));
  const isOwner = (record: Data) =>
    (roles.mine !== undefined && record[roles.mine] === true) ||
    [...owner].some(([name, values]) => values.includes(record[name] as string));
  const known = new Map<string, string | undefined>();
  const names: (string | null)[] = [];
  for (const record of records) {
    const held = roles.authors.map((name) => [name, textOf(record[name])] as const);
    const own = held.find(([name, text]) => text !== undefined && !ids.has(name));
    let name: string | undefined;
    if (isOwner(record)) name = 'You';
    else if (own !== undefined && own[0] !== 'role') name = own[1];
    else name = await followWriter(stream, roles, record, reader, known);
    const id = [...ids].map((key) => textOf(record[key])).find(Boolean);
    names.push(name ?? nameRole(own) ?? id ?? null);
  }
  return names.map((name) => (name === null ? null : escapeText(cutText(name, MAX_NAME_CHARACTERS))));
}

async function followWriter(
  stream: GrantedStream,
  { writers }: Roles,
  record: Data,
  reader: GrantedReader,
  known: Map<string, string | undefined>,
): Promise<string | undefined> {
  for (const relation of writers) {
    const key = textOf(record[relation.foreign_key]);
    if (key === undefined) continue;
    const place = JSON.stringify([relation.name, key]);
    if (!known.has(place)) {
      if (known.size >= MAX_WRITERS) return undefined;
      const found = await reader.find(reader.target(stream, relation), key);
      known.set(place, found && nameOf(found));
    }
    const name = known.get(place);
    if (name !== undefined) return name;
  }
  return undefined;
}

/** A person's title may be their job. */
function nameOf({ stream, record }: { stream: GrantedStream; record: Data }): string | undefined {
  const names = ['display_name', 'real_name', 'full_name', 'name', stream.titleField];
  return names.map((name) => (name === undefined ? undefined : textOf(record[name]))).find(Boolean);
}

/** In a talk with an assistant the user is the owner. */
function nameRole(own: readonly [string, string | undefined] | undefined): string | undefined {
  if (own?.[1] === undefined) return undefined;
  return own[1] === 'user' ? 'You' : own[1].slice(0, 1).toUpperCase() + own[1].slice(1);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.replace(/\s+/g, ' ').trim() : undefined;
}
