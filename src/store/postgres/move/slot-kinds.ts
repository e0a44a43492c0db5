import type { StreamDeclaration } from '../../../schema-index/declaration.ts';
import { describeFields } from '../../../schema-index/field.ts';
import { type FieldKind, SLOT_COUNT, type SlotPlan } from '../../scope.ts';
import type { OwnerQueries } from '../owner-queries.ts';
import { sql } from '../sql.ts';

/** The kind of the field in each slot, by stream. */
export type SlotKinds = ReadonlyMap<number, readonly (FieldKind | undefined)[]>;

export async function readSlotKinds(db: Pick<OwnerQueries, 'query' | 'ownerId'>): Promise<SlotKinds> {
  const rows = await db.query<{ stream_id: number; stream: string; plan: string; declaration: string }>(sql`
    select s.stream_id, s.stream, s.plan, d.declaration from streams s
    join connections c on c.owner_id = s.owner_id and c.connection_id = s.connection_id
    join sources d on d.owner_id = s.owner_id and d.connector_key = c.connector_key
    where s.owner_id = ${db.ownerId}`);
  return new Map(
    rows.map(({ stream_id, stream, plan, declaration }) => {
      const { slots = {} } = JSON.parse(plan) as Partial<SlotPlan>;
      const { streams } = JSON.parse(declaration) as { streams: StreamDeclaration[] };
      const declared = streams.find(({ name }) => name === stream);
      const kinds = new Array<FieldKind | undefined>(SLOT_COUNT).fill(undefined);
      for (const { name, kind } of declared === undefined ? [] : describeFields(declared)) {
        const slot = slots[name];
        if (slot !== undefined) kinds[slot] = kind;
      }
      return [stream_id, kinds];
    }),
  );
}
