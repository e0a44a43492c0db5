import type { CatalogStream } from '../schema-index/catalog.ts';
import { type Field, isFreeText } from '../schema-index/field.ts';

/** A declaration says so with this annotation in the JSON Schema of a field or of the whole stream. */
const ANNOTATION = 'x-pdpp-sensitive';

type Reasons = readonly (readonly [reason: string, names: RegExp])[];

/** Where the declaration says nothing, names tell: what most people would not hand to an app unasked. */
const fieldReasons: Reasons = [
  ['secret', /(^|_)(passwords?|passwd|secrets?|tokens?|pin|cvv)(_|$)/i],
  ['identity', /(^|_)(ssn|passport|birth(day|date)?|dob|ip(_address)?)(_|$)/i],
  ['money', /(^|_)(iban|bic|account_(no|number)|card_(no|number)|salary|balance)(_|$)/i],
  ['place', /(^|_)(lat|lng|lon|latitude|longitude|coordinates|geo)(_|$)/i],
  ['contact', /(^|_)(address(es)?|phones?|emails?)(_|$)/i],
  ['health', /(^|_)(diagnos[ie]s|medications?|blood)(_|$)/i],
  ['belief', /(^|_)religion(_|$)/i],
];
const streamReasons: Reasons = [
  ['health', /health|medical|workout|sleep|heart|weight|therapy/i],
  ['money', /bank|transaction|salary/i],
  ['place', /location|places|visits/i],
  ['private life', /diary|journal|dating/i],
];
/** Not every list of addresses is called one: `to` and `participants` of a mail are, by what is said of them. */
const ADDRESSES = /\b((e-?)?mail address(es)?|(tele)?phone numbers?)\b/i;
export const FREE_TEXT = 'free text';
const DECLARED = 'marked so by the source';

/** Why a field is sensitive, in a word or two; nothing for one that is not. What people write freely can hold anything. */
export function findFieldReason(field: Field): string | undefined {
  const named = nameReason(fieldReasons, field.name) ?? describedReason(field);
  return judge(field.schema[ANNOTATION], named);
}

function describedReason(field: Field): string | undefined {
  if (ADDRESSES.test(field.description ?? '')) return 'contact';
  return isFreeText(field) ? FREE_TEXT : undefined;
}

/** The same of a stream. One that cannot be given without a sensitive field is as sensitive as that. */
export function findStreamReason(stream: CatalogStream): string | undefined {
  const named = nameReason(streamReasons, `${stream.connection.connector_key} ${stream.name}`);
  const always = [...stream.fields.values()].filter((field) => comesAlways(stream, field));
  return judge(stream.declaration.schema[ANNOTATION], named ?? findFirst(always, findFieldReason));
}

/** Part of every record: it comes with the stream. */
export function comesAlways(stream: CatalogStream, field: Field): boolean {
  return field.required || stream.declaration.primary_key.includes(field.name);
}

function judge(said: unknown, named: string | undefined): string | undefined {
  if (said === true) return named ?? DECLARED;
  return said === false ? undefined : named;
}

function nameReason(reasons: Reasons, name: string): string | undefined {
  return reasons.find(([, names]) => names.test(name))?.[0];
}

function findFirst<T, R>(all: readonly T[], find: (one: T) => R | undefined): R | undefined {
  for (const one of all) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}
