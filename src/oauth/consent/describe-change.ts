import type { GrantedStreamTerms } from '../../grants/grant.ts';
import { type Catalog, findStream } from '../../schema-index/catalog.ts';
import { labelFields, labelInside } from '../../views/field-label.ts';

type Terms = readonly GrantedStreamTerms[];

/** The log gets the full text; the page also shows the ticks and gets a brief one. */
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
  const most = LENGTHS[length];
  const kept = before.flatMap((terms) => {
    const now = findSame(after, terms);
    return now === undefined ? [] : [{ terms, now }];
  });
  const parts = [
    ...nameStreams('added', without(after, before), catalog, most),
    ...kept.flatMap(({ terms, now }) => nameFields('added', now, terms.fields, catalog, most)),
    ...nameStreams('removed', without(before, after), catalog, most),
    ...kept.flatMap(({ terms, now }) => nameFields('removed', terms, now.fields, catalog, most)),
    ...(kept.some(({ terms, now }) => terms.since !== now.since || terms.until !== now.until)
      ? ['changed the time']
      : []),
  ];
  const text = listSome(parts, most.parts, '; ');
  return text === '' ? 'Nothing changed' : text.slice(0, 1).toUpperCase() + text.slice(1);
}

function findSame(all: Terms, { connection_id, stream }: GrantedStreamTerms): GrantedStreamTerms | undefined {
  return all.find((one) => one.connection_id === connection_id && one.stream === stream);
}

function without(all: Terms, others: Terms): Terms {
  return all.filter((terms) => findSame(others, terms) === undefined);
}

/** Names streams by connection. */
function nameStreams(verb: string, all: Terms, catalog: Catalog, most: Length): string[] {
  return [...new Set(all.map(({ connection_id }) => connection_id))].map((id) => {
    const labels = all
      .filter(({ connection_id }) => connection_id === id)
      .map(({ stream }) => labelOf(catalog, id, stream));
    return `${verb} ${nameOf(catalog, id)} (${listSome(labels, most.names, ', ')})`;
  });
}

/** Names the fields of a stream that the other version does not have. */
function nameFields(
  verb: string,
  { connection_id, stream, fields }: GrantedStreamTerms,
  others: readonly string[],
  catalog: Catalog,
  most: Length,
): string[] {
  const labels = labelFields(findStream(catalog, connection_id, stream)?.fields.values() ?? []);
  const names = fields
    .filter((field) => !others.includes(field))
    .map((field) => labelInside(labels.get(field) ?? field));
  if (names.length === 0) return [];
  const where = `${labelOf(catalog, connection_id, stream)} in ${nameOf(catalog, connection_id)}`;
  return [`${verb} ${listSome(names, most.names, ', ')} of ${where}`];
}

function nameOf({ connections }: Catalog, id: string): string {
  return connections.find(({ connection_id }) => connection_id === id)?.display_name ?? id;
}

function labelOf(catalog: Catalog, connectionId: string, stream: string): string {
  return findStream(catalog, connectionId, stream)?.declaration.display?.label ?? stream;
}

function listSome(parts: readonly string[], most: number, between: string): string {
  const more = parts.length - most;
  return more > 0 ? `${parts.slice(0, most).join(between)}${between}and ${more} more` : parts.join(between);
}
