import type { GrantedStreamTerms } from '../../grants/grant.ts';
import { type Catalog, findStream } from '../../schema-index/catalog.ts';
import { labelFields, labelInSentence } from '../../views/field-label.ts';

type Terms = readonly GrantedStreamTerms[];

/** The log gets the full text. The page gets a brief text, because it also shows the checkboxes. */
const LENGTHS = { full: { parts: 12, names: 8 }, brief: { parts: 3, names: 2 } } as const;
type Length = (typeof LENGTHS)[keyof typeof LENGTHS];

/**
 * Describes in one line how two versions of an access differ: "Added Slack (Messages); added body of Messages in Personal mail;
 * removed Nordbank (Transactions)".
 */
export function describeChange(
  before: Terms,
  after: Terms,
  catalog: Catalog,
  length: keyof typeof LENGTHS,
): string {
  const limits = LENGTHS[length];
  const inBoth = before.flatMap((terms) => {
    const now = findSame(after, terms);
    return now === undefined ? [] : [{ terms, now }];
  });
  const parts = [
    ...nameStreams('added', without(after, before), catalog, limits),
    ...inBoth.flatMap(({ terms, now }) => nameFields('added', now, terms.fields, catalog, limits)),
    ...nameStreams('removed', without(before, after), catalog, limits),
    ...inBoth.flatMap(({ terms, now }) => nameFields('removed', terms, now.fields, catalog, limits)),
    ...(inBoth.some(({ terms, now }) => terms.since !== now.since || terms.until !== now.until)
      ? ['changed the period']
      : []),
  ];
  const text = listSome(parts, limits.parts, '; ');
  return text === '' ? 'Nothing changed' : text.slice(0, 1).toUpperCase() + text.slice(1);
}

function findSame(all: Terms, { connection_id, stream }: GrantedStreamTerms): GrantedStreamTerms | undefined {
  return all.find((one) => one.connection_id === connection_id && one.stream === stream);
}

function without(all: Terms, others: Terms): Terms {
  return all.filter((terms) => findSame(others, terms) === undefined);
}

/** Names streams by connection. */
function nameStreams(verb: string, all: Terms, catalog: Catalog, limits: Length): string[] {
  return [...new Set(all.map(({ connection_id }) => connection_id))].map((id) => {
    const labels = all
      .filter(({ connection_id }) => connection_id === id)
      .map(({ stream }) => labelOf(catalog, id, stream));
    return `${verb} ${nameOf(catalog, id)} (${listSome(labels, limits.names, ', ')})`;
  });
}

/** Names the fields of a stream that the other version does not have. */
function nameFields(
  verb: string,
  { connection_id, stream, fields }: GrantedStreamTerms,
  others: readonly string[],
  catalog: Catalog,
  limits: Length,
): string[] {
  const labels = labelFields(findStream(catalog, connection_id, stream)?.fields.values() ?? []);
  const names = fields
    .filter((field) => !others.includes(field))
    .map((field) => labelInSentence(labels.get(field) ?? field));
  if (names.length === 0) return [];
  const where = `${labelOf(catalog, connection_id, stream)} in ${nameOf(catalog, connection_id)}`;
  return [`${verb} ${listSome(names, limits.names, ', ')} of ${where}`];
}

function nameOf({ connections }: Catalog, id: string): string {
  return connections.find(({ connection_id }) => connection_id === id)?.display_name ?? id;
}

function labelOf(catalog: Catalog, connectionId: string, stream: string): string {
  return findStream(catalog, connectionId, stream)?.declaration.display?.label ?? stream;
}

function listSome(parts: readonly string[], max: number, between: string): string {
  const more = parts.length - max;
  return more > 0 ? `${parts.slice(0, max).join(between)}${between}and ${more} more` : parts.join(between);
}
