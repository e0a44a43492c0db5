import type { GrantedReader } from '../../reader/granted-reader.ts';
import type { GrantedStream } from '../../reader/granted-stream.ts';
import { cutText } from '../../text/cut-text.ts';
import { escapeText } from '../../text/escape-text.ts';
import type { Roles } from './roles.ts';

type Data = Readonly<Record<string, unknown>>;

/** Writers that are looked up for one page; beyond them, their ids have to do. */
const MOST_WRITERS = 100;
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
      if (known.size >= MOST_WRITERS) return undefined;
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
