import { AppError } from '../errors.ts';
import type { SlotPlan } from '../store/scope.ts';
import { SLOT_COUNT, TEXT_COLUMNS } from '../store/scope.ts';
import type { StreamDeclaration } from './declaration.ts';
import { describeFields, type Field, isTime } from './field.ts';

export type { SlotPlan };

const emptyPlan: SlotPlan = { slots: {}, texts: {} };

/** Assigns the next free slot to each field without one, in order of priority. A field never changes its slot. */
export function planSlots(declaration: StreamDeclaration, before: SlotPlan = emptyPlan): SlotPlan {
  const fields = describeFields(declaration);
  const slotted = fields
    .filter((field) => needsSlot(field, declaration))
    .sort((a, b) => priority(a, declaration) - priority(b, declaration));
  return {
    slots: assign(before.slots, slotted, SLOT_COUNT),
    texts: assign(before.texts, searchOrder(fields, declaration), TEXT_COLUMNS),
  };
}

export function parseSlotPlan(text: string): SlotPlan {
  const plan = JSON.parse(text) as SlotPlan;
  if (plan.slots === undefined || plan.texts === undefined)
    throw new AppError('store_unusable', 'A slot plan is damaged.');
  return plan;
}

/** Returns the field that a stream is ordered by. Only a consent time field can also limit a grant in time. */
export function findTimeField(declaration: StreamDeclaration): string | undefined {
  if (declaration.consent_time_field !== undefined) return declaration.consent_time_field;
  const cursor = describeFields(declaration).find((field) => field.name === declaration.cursor_field);
  return cursor !== undefined && isTime(cursor.kind) ? cursor.name : undefined;
}

function needsSlot(field: Field, declaration: StreamDeclaration): boolean {
  return field.filter && field.kind !== 'list' && field.name !== findTimeField(declaration);
}

/** Ranks fields: foreign keys (for expand), enums, strings, numbers, flags and other times, string primary keys. */
function priority(field: Field, declaration: StreamDeclaration): number {
  if (/(^|_)id$/.test(field.name) && !declaration.primary_key.includes(field.name)) return 0;
  if ((declaration.relationships ?? []).some((relation) => relation.foreign_key === field.name)) return 0;
  if (field.values !== undefined) return 1;
  if (field.kind === 'string') return declaration.primary_key.includes(field.name) ? 5 : 2;
  if (field.kind === 'integer' || field.kind === 'number') return 3;
  return 4;
}

function searchOrder(fields: Field[], declaration: StreamDeclaration): Field[] {
  const declared = declaration.query?.search?.lexical_fields ?? [];
  const rank = (field: Field) =>
    declared.includes(field.name) ? declared.indexOf(field.name) : declared.length;
  return fields.filter((field) => field.search).sort((a, b) => rank(a) - rank(b));
}

function assign(
  before: Readonly<Record<string, number>>,
  fields: Field[],
  count: number,
): Record<string, number> {
  const plan: Record<string, number> = { ...before };
  let next = Object.keys(plan).length;
  for (const field of fields) {
    if (!Object.hasOwn(plan, field.name) && next < count) plan[field.name] = next++;
  }
  return plan;
}
