import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { buildDemo } from './demo/build-demo.ts';

// Writes the demo's data set anew, after one of the texts or plans in scripts/demo was changed.
const lines = buildDemo();
const path = new URL('../src/demo/demo.ndjson.gz', import.meta.url);
writeFileSync(path, gzipSync(`${lines.join('\n')}\n`, { level: 9 }));
