import { writeFileSync } from 'node:fs';
import { generatedFiles } from './generated-docs.ts';

/** Writes the generated parts of the README and the docs. */
for (const { path, write } of generatedFiles) writeFileSync(new URL(`../${path}`, import.meta.url), write());
