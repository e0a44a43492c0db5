import { writeFileSync } from 'node:fs';
import { makeServerEntry, SERVER_FILE } from './listing.ts';

writeFileSync(SERVER_FILE, `${JSON.stringify(makeServerEntry(), undefined, 2)}\n`);
