import type { StreamDeclaration } from './declaration.ts';

/** Matches names of streams whose records are people. */
export const PEOPLE_STREAM = /^(users|people|persons|members|contacts|participants)$/;

const PERSON =
  /(^|_)(from|to|cc|bcc|senders?|recipients?|authors?|attendees?|participants?|organi[sz]er|people|persons?|contacts?|users?|members?|owner|creator|assignees?|reviewers?|reporter|login|username|handle|emails?)(_(ids?|names?|emails?|address|addresses|handle|login))?$|_by$/i;

/** Whether a field contains persons, by id, name or address: by its name, or because it points to a stream of people. */
export function holdsPersons(stream: StreamDeclaration, name: string): boolean {
  const isOwnKey = PEOPLE_STREAM.test(stream.name) && stream.primary_key.includes(name);
  const pointsToPeople = (stream.relationships ?? []).some(
    (one) => one.cardinality === 'has_one' && one.foreign_key === name && PEOPLE_STREAM.test(one.stream),
  );
  return isOwnKey || pointsToPeople || PERSON.test(name);
}

/** Names of flags that say whether the owner sent a message. */
const SENT_FLAGS = ['from_me', 'is_from_me'];
/** Names of flags that say whether the owner wrote a record. */
export const OWNER_FLAGS = [...SENT_FLAGS, 'is_mine'];

/** Names of fields with the author of a record, the best first. */
export const AUTHOR_FIELDS = [
  'sender',
  'sender_name',
  'author',
  'author_name',
  'from_name',
  'from',
  'from_address',
];

/** Returns whether a stream has a flag that marks messages sent by the owner. */
export function hasSentFlag(streams: readonly StreamDeclaration[]): boolean {
  return streams.some(({ schema }) =>
    SENT_FLAGS.some((name) => Object.hasOwn((schema.properties ?? {}) as object, name)),
  );
}
