import { indexText, searchText } from '../../words/index-text.ts';
import { type SlotPlan, TEXT_COLUMNS } from '../scope.ts';
import type { Texts } from './collect-words.ts';

/** Returns the index texts of a stored record: of every field that its stream has ever searched. */
export function recordTexts(plan: Partial<Pick<SlotPlan, 'texts'>>, data: string): Texts {
  const texts = new Array<string>(TEXT_COLUMNS).fill('');
  const columns = Object.entries(plan.texts ?? {});
  if (columns.length === 0) return texts;
  const record = JSON.parse(data) as Record<string, unknown>;
  for (const [field, column] of columns)
    if (Object.hasOwn(record, field)) texts[column] = indexText(searchText(record[field]));
  return texts;
}
