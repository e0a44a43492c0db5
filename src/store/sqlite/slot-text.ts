import { createHash } from 'node:crypto';
import type { Value } from '../values.ts';

const MAX_SLOT_CHARS = 300;

/** Encodes a value for a slot. A longer text is stored as its beginning and a hash of the whole, so that no slot holds an essay. */
export function encodeSlot(value: Value): Value {
  if (typeof value !== 'string' || value.length <= MAX_SLOT_CHARS) return value;
  const hash = createHash('sha256').update(value).digest('base64url');
  return `${value.slice(0, MAX_SLOT_CHARS).toWellFormed()}\0${hash}`;
}
