import type { SourceDeclaration } from '../../schema-index/declaration.ts';
import type { ReadStore } from '../../store/open-store.ts';
import type { KnownSource } from './requested-streams.ts';

export async function readSources(store: ReadStore): Promise<KnownSource[]> {
  const rows = await store.db.selectFrom('sources').select(['connector_key', 'declaration']).execute();
  return rows.map((row) => {
    const declaration = JSON.parse(row.declaration) as SourceDeclaration;
    return {
      id: declaration.source.id,
      connectorKey: row.connector_key,
      presets: (declaration.selection_presets ?? []) as KnownSource['presets'],
    };
  });
}
