import type { GrantedReader } from '../../reader/granted-reader.ts';
import type { GrantedStream } from '../../reader/granted-stream.ts';
import type { Relationship } from '../../schema-index/declaration.ts';
import type { Field } from '../../schema-index/field.ts';
import { AUTHOR_FIELDS, OWNER_FLAGS } from '../../schema-index/person-field.ts';
import { cutText } from '../../text/cut-text.ts';
import { escapeText } from '../../text/escape-text.ts';

/** The roles of the granted fields of a stream: author, title and text. */
export interface Roles {
  /** Author fields, best first. */
  readonly authors: readonly string[];
  /** Relations to the author, where a field holds only an id. */
  readonly writers: readonly Relationship[];
  /** The text field. */
  readonly body: string | undefined;
  /** The title field of the record. */
  readonly title: string | undefined;
  /** The title of the conversation, as stored in each message. */
  readonly conversation: string | undefined;
  /** Whether the owner wrote it. */
  readonly mine: string | undefined;
  /** The field that marks messages hidden by the original app. */
  readonly hidden: string | undefined;
}

const FALLBACK_AUTHORS = ['username', 'handle', 'user', 'role'];
const WRITERS = /^(user|sender|author|writer|from|member|creator)$/;
const BODIES = ['text', 'body', 'content', 'message', 'transcript', 'comment', 'note'];
const HIDDEN_FLAGS = ['is_hidden', 'hidden'];

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
  const authors = having([...AUTHOR_FIELDS, ...FALLBACK_AUTHORS], isWord);
  // An email has its own subject, even if its thread has the same one.
  const isOfConversation =
    body !== undefined &&
    titleField !== 'subject' &&
    parents.some((one) => reader.target(stream, one).titleField === titleField && !writers.includes(one));
  const isBody = titleField === body;
  return {
    authors,
    writers,
    body,
    title: isOfConversation || isBody ? undefined : titleField,
    conversation: isOfConversation ? titleField : undefined,
    mine: having(OWNER_FLAGS, ({ kind }) => kind === 'boolean')[0],
    hidden: having(HIDDEN_FLAGS, ({ kind }) => kind === 'boolean')[0],
  };
}

/** Whether the records are messages with an author. */
export function areMessages({ authors, writers, body }: Roles): boolean {
  return body !== undefined && authors.length + writers.length > 0;
}

type Data = Readonly<Record<string, unknown>>;

/** The number of authors looked up for one page; others are shown by id. */
const MAX_WRITERS = 100;
const MAX_NAME_CHARACTERS = 200;

/** Returns the author of each record: "You", a stored name, or the name of the related person. */
export async function nameWriters(
  stream: GrantedStream,
  roles: Roles,
  records: readonly Data[],
  reader: GrantedReader,
): Promise<(string | null)[]> {
  // A foreign key holds an id, not a name.
  const ids = new Set(roles.writers.map(({ foreign_key }) => foreign_key));
  const owner = new Map<string, readonly string[]>();
  for (const name of [...roles.authors, ...ids]) owner.set(name, await reader.lookups.owner(stream, name));
  const isOwner = (record: Data) =>
    (roles.mine !== undefined && record[roles.mine] === true) ||
    [...owner].some(([name, values]) => values.includes(record[name] as string));
  const known = new Map<string, string | undefined>();
  const names: (string | null)[] = [];
  for (const record of records) {
    const authors = roles.authors.map((name) => [name, textOf(record[name])] as const);
    const own = authors.find(([name, text]) => text !== undefined && !ids.has(name));
    let name: string | undefined;
    if (isOwner(record)) name = 'You';
    else if (own !== undefined && own[0] !== 'role') name = own[1];
    else name = await findWriterName(stream, roles, record, reader, known);
    const id = [...ids].map((key) => textOf(record[key])).find(Boolean);
    names.push(name ?? nameRole(own) ?? id ?? null);
  }
  return names.map((name) => (name === null ? null : escapeText(cutText(name, MAX_NAME_CHARACTERS))));
}

async function findWriterName(
  stream: GrantedStream,
  { writers }: Roles,
  record: Data,
  reader: GrantedReader,
  known: Map<string, string | undefined>,
): Promise<string | undefined> {
  for (const relation of writers) {
    const key = textOf(record[relation.foreign_key]);
    if (key === undefined) continue;
    const cacheKey = JSON.stringify([relation.name, key]);
    if (!known.has(cacheKey)) {
      if (known.size >= MAX_WRITERS) return undefined;
      const found = await reader.find(reader.target(stream, relation), key);
      known.set(cacheKey, found && nameOf(found));
    }
    const name = known.get(cacheKey);
    if (name !== undefined) return name;
  }
  return undefined;
}

/** Names come before the title, which may be a job title. */
function nameOf({ stream, record }: { stream: GrantedStream; record: Data }): string | undefined {
  const names = ['display_name', 'real_name', 'full_name', 'name', stream.titleField];
  return names.map((name) => (name === undefined ? undefined : textOf(record[name]))).find(Boolean);
}

/** In a conversation with an assistant, the user is the owner. */
function nameRole(own: readonly [string, string | undefined] | undefined): string | undefined {
  if (own?.[1] === undefined) return undefined;
  return own[1] === 'user' ? 'You' : own[1].slice(0, 1).toUpperCase() + own[1].slice(1);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.replace(/\s+/g, ' ').trim() : undefined;
}
