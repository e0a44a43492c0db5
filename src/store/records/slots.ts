import { createHash } from 'node:crypto';
import { AppError } from '../../errors.ts';
import type { IndexedFields } from '../batches.ts';
import { SLOT_COUNT, type SlotPlan, TEXT_COLUMNS } from '../scope.ts';
import type { Value } from '../values.ts';

const MAX_SLOT_CHARACTERS = 300;

/** Encodes a value for a slot. A longer text is stored as its beginning and a hash, so that slots stay small. */
export function encodeSlot(value: Value): Value {
  if (typeof value !== 'string' || value.length <= MAX_SLOT_CHARACTERS) return value;
  const hash = createHash('sha256').update(value).digest('base64url');
  return `${value.slice(0, MAX_SLOT_CHARACTERS).toWellFormed()}\0${hash}`;
}

/** The indexed fields of a record as one value per slot and one text per column. */
export interface IndexRow {
  readonly slots: Value[];
  readonly texts: string[];
  readonly hasTexts: boolean;
}

/** Returns a function that assigns the fields of records to the slots and text columns of their stream. */
export function createRowLayout({ slots = {}, texts = {} }: Partial<SlotPlan>) {
  const [slotted, searched] = [Object.entries(slots), Object.entries(texts)];
  return (indexed: Pick<IndexedFields, 'values' | 'texts'>): IndexRow => {
    const row = {
      slots: new Array<Value>(SLOT_COUNT).fill(null),
      texts: new Array<string>(TEXT_COLUMNS).fill(''),
      hasTexts: false,
    };
    for (const [field, slot] of slotted) row.slots[slot] = encodeSlot(indexed.values[field] ?? null);
    for (const [field, column] of searched) {
      const text = indexed.texts[field] ?? '';
      row.texts[column] = text;
      if (text !== '') row.hasTexts = true;
    }
    return row;
  };
}

/** Returns the row layout of a stored slot plan. */
export function createPlannedLayout(plan: string | undefined): ReturnType<typeof createRowLayout> {
  // The connection may be removed while its import is running.
  if (plan === undefined)
    throw new AppError('unknown_connection', 'The connection was removed.', { hint: 'Import it again.' });
  return createRowLayout(JSON.parse(plan) as Partial<SlotPlan>);
}
