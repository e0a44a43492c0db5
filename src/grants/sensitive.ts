import type { CatalogStream } from '../schema-index/catalog.ts';
import { type Field, isFreeText } from '../schema-index/field.ts';

/** The annotation in the JSON Schema of a field or stream by which a declaration marks it as sensitive. */
const ANNOTATION = 'x-pdpp-sensitive';

type Reasons = readonly (readonly [reason: string, names: RegExp])[];

/** Names that are sensitive unless the declaration says otherwise: most people would not share them by default. */
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
/** Descriptions that mark addresses in fields with other names, such as `to` and `participants` of a mail. */
const ADDRESSES = /\b((e-?)?mail address(es)?|(tele)?phone numbers?)\b/i;
export const FREE_TEXT = 'free text';
const DECLARED = 'marked by the source';

/** Returns why a field is sensitive, in a word or two; undefined if it is not. Free text can contain anything. */
export function findFieldReason(field: Field): string | undefined {
  const named = nameReason(fieldReasons, field.name) ?? describedReason(field);
  return applyAnnotation(field.schema[ANNOTATION], named);
}

function describedReason(field: Field): string | undefined {
  if (ADDRESSES.test(field.description ?? '')) return 'contact';
  return isFreeText(field) ? FREE_TEXT : undefined;
}

/** Returns why a stream is sensitive. A sensitive field in every record makes the stream sensitive. */
export function findStreamReason(stream: CatalogStream): string | undefined {
  const named = nameReason(streamReasons, `${stream.connection.connector_key} ${stream.name}`);
  const always = [...stream.fields.values()].filter((field) => isInEveryRecord(stream, field));
  const [fieldReason] = always.flatMap((field) => findFieldReason(field) ?? []);
  return applyAnnotation(stream.declaration.schema[ANNOTATION], named ?? fieldReason);
}

/** Returns whether a field is part of every record, so that a grant of the stream includes it. */
export function isInEveryRecord(stream: CatalogStream, field: Field): boolean {
  return field.required || stream.declaration.primary_key.includes(field.name);
}

function applyAnnotation(declared: unknown, named: string | undefined): string | undefined {
  if (declared === true) return named ?? DECLARED;
  return declared === false ? undefined : named;
}

function nameReason(reasons: Reasons, name: string): string | undefined {
  return reasons.find(([, names]) => names.test(name))?.[0];
}
