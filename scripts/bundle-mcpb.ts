import { packBundle, writeBundleFiles } from './build-mcpb.ts';
import { readListing } from './listing.ts';

// Writes the extension for Claude Desktop: npm run bundle:mcpb [FILE]
const [file = `dist/${readListing().name}.mcpb`] = process.argv.slice(2);
await writeBundleFiles('dist/mcpb');
process.stdout.write(`${await packBundle('dist/mcpb', file)}\n`);
