import { comesAlways, findFieldReason, findStreamReason } from '../grants/sensitive.ts';
import type { CatalogStream } from '../schema-index/catalog.ts';
import { type Field, isFreeText } from '../schema-index/field.ts';
import { nameStream } from './describe-access.ts';
import { labelFields, labelInside } from './field-label.ts';

/**
 * What a question needs: free text, any text, an amount, a person, or a named field.
 */
export type Need = 'text' | 'words' | 'amount' | 'person' | RegExp;

/** Lists the fields that meet a need, those that are not sensitive first. */
export function findFields(stream: CatalogStream, need: Need): Field[] {
  const meets = (field: Field): boolean => {
    if (need instanceof RegExp) return need.test(field.name);
    if (need === 'person') return field.person === true;
    if (need === 'amount') return field.metrics.includes('sum');
    return isFreeText(field) || (need === 'words' && field.search);
  };
  const rank = (field: Field) => (findFieldReason(field) === undefined ? 0 : 1);
  const found = [...stream.fields.values()].filter(meets);
  // Numbers with a unit are better amounts.
  const size = (field: Field) => (need === 'amount' && field.unit === undefined ? 1 : 0);
  return found.toSorted((a, b) => rank(a) - rank(b) || size(a) - size(b));
}

/** Names the data to select beyond the preselection, such as "Transactions (money)". */
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
