import { writeFileSync } from 'node:fs';
import { listStrings, STRINGS_FILE } from './list-strings.ts';

/** Writes docs/strings.md: every text that pages and commands show. */
writeFileSync(STRINGS_FILE, listStrings());
