import type { LoadImporters } from '../import/importer.ts';

/** Loads all importers. Their parsers take longer to load than the server. */
export const loadImporters: LoadImporters = async () => (await import('./importers.ts')).importers;
