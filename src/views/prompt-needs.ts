import { comesAlways, findFieldReason, findStreamReason } from '../grants/sensitive.ts';
import type { CatalogStream } from '../schema-index/catalog.ts';
import { type Field, isFreeText } from '../schema-index/field.ts';
import { nameStream } from './describe-access.ts';
import { labelFields, labelInside } from './field-label.ts';

/**
 * What an app must see of a stream to answer a question: what people wrote, anything in words, an amount, a person, or a
 * field of that name.
 */
export type Need = 'text' | 'words' | 'amount' | 'person' | RegExp;

/** The fields of a stream that meet a need, each by itself; those that are not sensitive first. */
export function findFields(stream: CatalogStream, need: Need): Field[] {
  const meets = (field: Field): boolean => {
    if (need instanceof RegExp) return need.test(field.name);
    if (need === 'person') return field.person === true;
    if (need === 'amount') return field.metrics.includes('sum');
    return isFreeText(field) || (need === 'words' && field.search);
  };
  const rank = (field: Field) => (findFieldReason(field) === undefined ? 0 : 1);
  const found = [...stream.fields.values()].filter(meets);
  // A number with a unit is an amount more than a number of something.
  const size = (field: Field) => (need === 'amount' && field.unit === undefined ? 1 : 0);
  return found.toSorted((a, b) => rank(a) - rank(b) || size(a) - size(b));
}

/** What the owner has to tick beyond what is preselected: "Transactions (money)", "text of Chat messages". */
export function describeTicks(stream: CatalogStream, fields: readonly Field[]): string | null {
  const name = nameStream(stream, stream.name);
  const labels = labelFields(stream.fields.values());
  const reason = findStreamReason(stream);
  const sensitive = fields.filter(
    (field) => !comesAlways(stream, field) && findFieldReason(field) !== undefined,
  );
  const inside = sensitive.map((field) => labelInside(labels.get(field.name) ?? field.name));
  if (inside.length > 0) return `the ${inside.join(' and ')} of ${name}`;
  return reason === undefined ? null : `${name} (${reason})`;
}
