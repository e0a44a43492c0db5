/** The value of a parameter. servers/parameters.ts encodes texts. */
export type SqlValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | Uint8Array
  | readonly (string | number | bigint | boolean | null | Uint8Array)[];

/** A statement, or a part of one, with its values. */
export interface Sql {
  readonly parts: readonly string[];
  readonly values: readonly SqlValue[];
}

/** A statement in the form that PostgreSQL accepts: text with numbered parameters, and their values. */
export interface Statement {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/** Returns a statement. A value becomes a parameter; a nested part is inserted with its own parameters. */
export function sql(texts: TemplateStringsArray, ...inserted: readonly (SqlValue | Sql)[]): Sql {
  const parts: string[] = [];
  const values: SqlValue[] = [];
  let part = texts[0] as string;
  inserted.forEach((value, index) => {
    const next = texts[index + 1] as string;
    if (isSql(value)) {
      const [first, ...rest] = value.parts as [string, ...string[]];
      const last = rest.pop();
      if (last === undefined) part += first + next;
      else {
        parts.push(part + first, ...rest);
        part = last + next;
      }
      values.push(...value.values);
    } else {
      values.push(value);
      parts.push(part);
      part = next;
    }
  });
  parts.push(part);
  return { parts, values };
}

/** Returns a part that is inserted unchanged. Never pass text from a caller. */
sql.raw = (text: string): Sql => ({ parts: [text], values: [] });

/** Joins parts with a separator, by default a comma. */
sql.join = (list: readonly Sql[], separator: Sql = sql.raw(', ')): Sql =>
  list.reduce((joined, part) => (joined === empty ? part : sql`${joined}${separator}${part}`), empty);

const empty: Sql = { parts: [''], values: [] };

/** Numbers the parameters of a statement. */
export function compile({ parts, values }: Sql): Statement {
  let text = parts[0] as string;
  for (let at = 1; at < parts.length; at++) text += `$${at}${parts[at]}`;
  return { text, values };
}

function isSql(value: SqlValue | Sql): value is Sql {
  return typeof value === 'object' && value !== null && 'parts' in value;
}
