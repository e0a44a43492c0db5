import type { CatalogStream } from './catalog.ts';
import type { Field } from './field.ts';

/** A declaration says so with this annotation in the JSON Schema of a field or of the whole stream. */
const ANNOTATION = 'x-pdpp-sensitive';

/** Where the declaration says nothing, names tell: what most people would not hand to an app unasked. */
const FIELD =
  /(^|_)(passwords?|passwd|secrets?|tokens?|ssn|passport|iban|bic|account_(no|number)|card_(no|number)|cvv|pin|lat|lng|lon|latitude|longitude|coordinates|geo|address|phone|birth(day|date)?|dob|diagnos[ie]s|medications?|blood|religion|salary|balance|ip(_address)?)(_|$)/i;
const STREAM =
  /health|medical|workout|sleep|heart|weight|bank|transaction|salary|location|places|visits|diary|journal|therapy|dating/i;

export function isSensitiveField(field: Field): boolean {
  const said = field.schema[ANNOTATION];
  return typeof said === 'boolean' ? said : FIELD.test(field.name);
}

export function isSensitiveStream(stream: CatalogStream): boolean {
  const said = stream.declaration.schema[ANNOTATION];
  return typeof said === 'boolean' ? said : STREAM.test(`${stream.connection.connector_key} ${stream.name}`);
}
