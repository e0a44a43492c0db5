import type { SourceDeclaration } from '../../schema-index/declaration.ts';
import type { ReadStore } from '../../store/sqlite/open-store.ts';
import { readDeclarations } from '../storage/oauth-store.ts';
import type { KnownSource } from './requested-streams.ts';

export async function readSources(store: ReadStore): Promise<KnownSource[]> {
  return (await readDeclarations(store)).map(({ connectorKey, declaration: text }) => {
    const declaration = JSON.parse(text) as SourceDeclaration;
    return {
      id: declaration.source.id,
      connectorKey,
      presets: (declaration.selection_presets ?? []) as KnownSource['presets'],
    };
  });
}
