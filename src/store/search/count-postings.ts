import { COLUMN_SPAN } from '../postings/posting-list.ts';
import { streamOf } from '../records/rid.ts';
import { visibleColumns } from '../records/visible-part.ts';
import type { FieldRole, FieldRoles, MatchPart, Postings } from '../search-reads.ts';

/** The number of positions that are kept of a record: ranking uses no more. */
const MAX_POSITIONS = 64;

interface Counted extends Record<FieldRole, number> {
  readonly record: number;
  readonly positions: number[];
}

/** Counts the positions of a spelling in granted fields by the role of the field. */
export class PostingCounter {
  readonly #roles: ColumnRoles;
  readonly #counted = new Map<number, Counted>();
  #last: Counted | undefined;

  constructor(parts: readonly MatchPart[], roles: FieldRoles) {
    this.#roles = rolesByColumn(parts, roles);
  }

  add(record: number, column: number, offset: number): void {
    const role = this.#roles.get(streamOf(record))?.[column];
    if (role === undefined) return;
    if (this.#last?.record !== record) {
      this.#last = this.#counted.get(record) ?? { record, title: 0, people: 0, body: 0, positions: [] };
      this.#counted.set(record, this.#last);
    }
    this.#last[role] += 1;
    if (this.#last.positions.length < MAX_POSITIONS) this.#last.positions.push(column * COLUMN_SPAN + offset);
  }

  pack(): Postings {
    // Words with the same beginning follow one another, each with its own records.
    const counted = [...this.#counted.values()].sort((a, b) => a.record - b.record);
    const postings = {
      records: new Float64Array(counted.length),
      title: new Uint32Array(counted.length),
      people: new Uint32Array(counted.length),
      body: new Uint32Array(counted.length),
      ends: new Uint32Array(counted.length),
    };
    const all: number[] = [];
    for (const [at, { record, title, people, body, positions }] of counted.entries()) {
      for (const position of positions) all.push(position);
      postings.records[at] = record;
      postings.title[at] = title;
      postings.people[at] = people;
      postings.body[at] = body;
      postings.ends[at] = all.length;
    }
    return { ...postings, positions: Float64Array.from(all) };
  }
}

type ColumnRoles = ReadonlyMap<number, readonly (FieldRole | undefined)[]>;

/** Every word of a search needs the roles of the same columns. A list of parts has one object of roles. */
const columnRoles = new WeakMap<FieldRoles, ColumnRoles>();

/** Returns the role of each granted text column, by stream. */
function rolesByColumn(parts: readonly MatchPart[], roles: FieldRoles): ColumnRoles {
  const known = columnRoles.get(roles) ?? makeColumnRoles(parts, roles);
  columnRoles.set(roles, known);
  return known;
}

function makeColumnRoles(parts: readonly MatchPart[], roles: FieldRoles): ColumnRoles {
  return new Map(
    parts.map(({ scope }) => {
      const { streamId, plan } = scope.stream;
      const byColumn: (FieldRole | undefined)[] = [];
      const granted = visibleColumns(scope);
      for (const [name, role] of roles.get(streamId) ?? []) {
        const column = plan.texts[name];
        if (column !== undefined && granted.includes(column)) byColumn[column] = role;
      }
      return [streamId, byColumn];
    }),
  );
}
