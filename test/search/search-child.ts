/** Runs a batch of searches over a folder and reports its cost. bounds.test.ts starts it with a small heap. */
import { post } from '../support/mcp-post.ts';
import { createWorld } from '../support/world.ts';

const [directory = '', token = '', calls = '1'] = process.argv.slice(2);
const world = await createWorld({ directory });
// Warms up, so that only the searches are measured.
await post(
  world,
  token,
  { jsonrpc: '2.0', id: 0, method: 'tools/list' },
  { 'mcp-protocol-version': '2025-03-26' },
);
let longest = 0;
let last = performance.now();
const clock = setInterval(() => {
  longest = Math.max(longest, performance.now() - last);
  last = performance.now();
}, 1);
const batch = Array.from({ length: Number(calls) }, (_, id) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'search', arguments: { query: 'harbour velmoti', limit: 50 } },
}));
const started = process.cpuUsage();
const { status, messages } = await post(world, token, batch, { 'mcp-protocol-version': '2025-03-26' });
const { user, system } = process.cpuUsage(started);
clearInterval(clock);
const answers = messages.flat().map(({ result }) => result.structuredContent.results.length as number);
process.stdout.write(
  JSON.stringify({
    status,
    answers,
    cpuMs: (user + system) / 1_000,
    longest,
    megabytes: process.resourceUsage().maxRSS / 1024,
  }),
);
process.exit(0);
