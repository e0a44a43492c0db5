import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SourceDeclaration } from '../../src/schema-index/declaration.ts';
import { createBatches } from './batches.ts';
import type { GeneratedLine, GeneratedSource } from './types.ts';

export const examplesFolder = join(import.meta.dirname, '../../examples');

/** The systems of `examples/`, each with one connection that is named like its connector. */
export const exampleSources: GeneratedSource[] = ['foundry', 'foundry-mcp', 'harmonic', 'agor'].map(
  readExample,
);

function readExample(name: string): GeneratedSource {
  const folder = join(examplesFolder, name);
  const declaration = JSON.parse(readFileSync(join(folder, 'source.json'), 'utf8')) as SourceDeclaration;
  const key = declaration.connector_key as string;
  const displayName = `${declaration.display?.name} (Waypoint)`;
  return {
    declaration,
    connections: [{ connection_id: key, connector_key: key, display_name: displayName }],
    /** The same records whatever the options are. */
    *generate() {
      for (const { name: stream } of declaration.streams) {
        const lines = readFileSync(join(folder, `${stream}.ndjson`), 'utf8')
          .trimEnd()
          .split('\n');
        yield* createBatches(
          key,
          stream,
          lines.map((line) => JSON.parse(line) as GeneratedLine),
        );
      }
    },
  };
}
