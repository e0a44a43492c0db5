#!/usr/bin/env node
import { main } from './cli/run/main.ts';

// A reader that closes early, such as head, is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

await main(process.argv.slice(2));
