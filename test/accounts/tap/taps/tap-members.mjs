#!/usr/bin/env node
// A full-table tap without discovery: writes every row in each run, as a new version of the table.
import { readFileSync } from 'node:fs';

const option = (name) => process.argv[process.argv.indexOf(name) + 1];
if (process.argv.includes('--discover')) process.exit(2);
const { members: file, version } = JSON.parse(readFileSync(option('--config'), 'utf8'));
const write = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
process.stderr.write('INFO starting\n');
write({
  type: 'SCHEMA',
  stream: 'Club Members',
  schema: {
    properties: {
      email: { type: 'string' },
      name: { type: ['string', 'null'] },
      joined: { type: 'string', format: 'date' },
    },
  },
  key_properties: ['email'],
});
for (const record of JSON.parse(readFileSync(file, 'utf8')))
  write({ type: 'RECORD', stream: 'Club Members', record, version });
write({ type: 'ACTIVATE_VERSION', stream: 'Club Members', version });
