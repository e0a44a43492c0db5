import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { buildDemo } from './demo/build-demo.ts';

// Writes the demo's data set. Run it after changing scripts/demo.
const lines = buildDemo();
const path = new URL('../src/demo/demo.ndjson.gz', import.meta.url);
writeFileSync(path, gzipSync(`${lines.join('\n')}\n`, { level: 9 }));
