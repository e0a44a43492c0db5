import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { createFloor, type FloorCall, openFloor } from './floor.ts';

/** `bare-server.ts FOLDER PORT`: JSON in, one piece of SQL, JSON out. No token, no grant, no audit, no protocol. */
const [directory, port] = process.argv.slice(2);
const floor = createFloor(openFloor(directory as string));
const app = new Hono();
const list = JSON.stringify({ data: floor({ op: 'list', values: [] }) });
app.post('/call', async (c) => {
  const call = (await c.req.json()) as FloorCall;
  // The list never changes, so the least work is to send constant bytes.
  if (call.op === 'list') return c.body(list, 200, { 'content-type': 'application/json' });
  return c.json({ data: floor(call) });
});
const server = serve({ fetch: app.fetch, port: Number(port), hostname: '127.0.0.1' }, () =>
  console.log('listening'),
);
// SQL holds up the event loop: with Node's 5 s, a connection whose next request is waiting counts as idle.
if ('keepAliveTimeout' in server) server.keepAliveTimeout = 60_000;
