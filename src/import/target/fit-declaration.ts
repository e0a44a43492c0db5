import { type CheckedDeclaration, checkDeclaration } from '../../schema-index/check-declaration.ts';
import type { SourceDeclaration, StreamDeclaration } from '../../schema-index/declaration.ts';
import { listConflicts } from '../../schema-index/edit-catalog.ts';
import type { ReadStore } from '../../store/store.ts';

/**
 * Fits what was guessed of a file to the stored source of the same name: that keeps its time fields and what the file
 * lacks. A file that holds something else under the same name becomes a source of its own.
 */
export async function fitDeclaration(
  store: ReadStore,
  guessed: SourceDeclaration,
): Promise<CheckedDeclaration> {
  const stored = new Map(
    (await store.catalog.listSources()).map((row) => [row.connector_key, row.declaration]),
  );
  for (let n = 1; ; n += 1) {
    const key = n === 1 ? guessed.connector_key : `${guessed.connector_key}-${n}`;
    const named = checkDeclaration({ ...guessed, ...(key === undefined ? {} : { connector_key: key }) });
    const text = stored.get(named.connector_key);
    if (text === undefined) return named;
    const before = JSON.parse(text) as CheckedDeclaration;
    const fitted = checkDeclaration(addMissing(before, named));
    if (listConflicts(before, fitted).length === 0) return fitted;
  }
}

function addMissing(before: CheckedDeclaration, guessed: CheckedDeclaration): SourceDeclaration {
  const gone = before.streams.filter((old) => !guessed.streams.some(({ name }) => name === old.name));
  const streams = guessed.streams.map((stream) => {
    const old = before.streams.find(({ name }) => name === stream.name);
    return old === undefined ? stream : keepTimes(old, stream);
  });
  return { ...guessed, streams: [...streams, ...gone] };
}

function keepTimes(old: StreamDeclaration, stream: StreamDeclaration): StreamDeclaration {
  const { cursor_field: _, consent_time_field: __, ...rest } = stream;
  const properties = { ...(old.schema.properties as object), ...(stream.schema.properties as object) };
  return {
    ...rest,
    schema: { ...stream.schema, properties },
    ...(old.cursor_field === undefined ? {} : { cursor_field: old.cursor_field }),
    ...(old.consent_time_field === undefined ? {} : { consent_time_field: old.consent_time_field }),
  };
}
