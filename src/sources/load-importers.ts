import type { LoadImporters } from '../import/importer.ts';

/** Every format that is read. Reading takes parsers of half a dozen kinds, which take longer to load than the server. */
export const loadImporters: LoadImporters = async () => (await import('./importers.ts')).importers;
