import type { Importer } from '../import/importer.ts';
import { genericImporter } from './generic-importer.ts';

/** Every format that is read, the more particular before the more general: of two that are as certain, the first has the file. */
export const importers: readonly Importer[] = [
  // The last resort: it reads anything that has rows.
  genericImporter,
];
