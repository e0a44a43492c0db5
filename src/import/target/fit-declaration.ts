import { type CheckedDeclaration, checkDeclaration } from '../../schema-index/check-declaration.ts';
import type { SourceDeclaration, StreamDeclaration } from '../../schema-index/declaration.ts';
import { listConflicts } from '../../schema-index/edit-catalog.ts';
import type { ReadStore } from '../../store/store.ts';

/**
 * Fits a guessed declaration to the stored source of the same name: keeps its time fields and the columns that this
 * file lacks. A file with conflicting columns becomes a source of its own.
 */
export async function fitDeclaration(
  store: ReadStore,
  guessed: SourceDeclaration,
): Promise<CheckedDeclaration> {
  const sources = await store.catalog.listSources();
  for (let n = 1; ; n += 1) {
    const renamed = n === 1 ? {} : { connector_key: `${guessed.connector_key}-${n}` };
    const named = checkDeclaration({ ...guessed, ...renamed });
    const source = sources.find(({ connector_key }) => connector_key === named.connector_key);
    if (source === undefined) return named;
    const stored = JSON.parse(source.declaration) as CheckedDeclaration;
    const fitted = checkDeclaration(mergeStreams(stored, named));
    if (listConflicts(stored, fitted).length === 0) return fitted;
  }
}

function mergeStreams(stored: CheckedDeclaration, guessed: CheckedDeclaration): SourceDeclaration {
  const missing = stored.streams.filter(({ name }) => !guessed.streams.some((one) => one.name === name));
  const streams = guessed.streams.map((stream) => {
    const old = stored.streams.find(({ name }) => name === stream.name);
    return old === undefined ? stream : copyTimeFields(old, stream);
  });
  return { ...guessed, streams: [...streams, ...missing] };
}

function copyTimeFields(old: StreamDeclaration, stream: StreamDeclaration): StreamDeclaration {
  const { cursor_field: _, consent_time_field: __, ...rest } = stream;
  const properties = { ...(old.schema.properties as object), ...(stream.schema.properties as object) };
  return {
    ...rest,
    schema: { ...stream.schema, properties },
    ...(old.cursor_field === undefined ? {} : { cursor_field: old.cursor_field }),
    ...(old.consent_time_field === undefined ? {} : { consent_time_field: old.consent_time_field }),
  };
}
