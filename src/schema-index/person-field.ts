import type { StreamDeclaration } from './declaration.ts';

/** Streams of people, each known by its key. */
export const PEOPLE_STREAM = /^(users|people|persons|members|contacts|participants)$/;

const PERSON =
  /(^|_)(from|to|cc|bcc|senders?|recipients?|authors?|attendees?|participants?|organi[sz]er|people|persons?|contacts?|users?|members?|owner|creator|assignees?|reviewers?|reporter|login|username|handle|emails?)(_(ids?|names?|emails?|address|addresses|handle|login))?$|_by$/i;

/** Whether a field holds persons, by id, name or address: it is called so, or leads to a stream of people. */
export function holdsPersons(stream: StreamDeclaration, name: string): boolean {
  const isOwnKey = PEOPLE_STREAM.test(stream.name) && stream.primary_key.includes(name);
  const leads = (stream.relationships ?? []).some(
    (one) => one.cardinality === 'has_one' && one.foreign_key === name && PEOPLE_STREAM.test(one.stream),
  );
  return isOwnKey || leads || PERSON.test(name);
}

/** Names of flags that say whether the owner sent a message. */
const SENT_FLAGS = ['from_me', 'is_from_me'];
/** Names of flags that say whether the owner wrote a record. */
export const OWNER_FLAGS = [...SENT_FLAGS, 'is_mine'];

/** Names of fields that say who wrote a record, the best first. */
export const AUTHOR_FIELDS = [
  'sender',
  'sender_name',
  'author',
  'author_name',
  'from_name',
  'from',
  'from_address',
];

/** Whether messages of a source say themselves which of them the owner sent. */
export function flagsOwner(streams: readonly StreamDeclaration[]): boolean {
  return streams.some(({ schema }) =>
    SENT_FLAGS.some((name) => Object.hasOwn((schema.properties ?? {}) as object, name)),
  );
}
