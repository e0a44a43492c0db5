import type { Draw } from '../../support/draw.ts';
import { drawJson, drawString } from './draw-hostile.ts';
import { drawToolCall } from './draw-tool-call.ts';
import { bearer, type Doors } from './http-request.ts';

const VERSIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2024-11-05', '1.0', 'latest', ''];
const RPC = [
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'resources/list',
  'prompts/get',
  'logging/setLevel',
];
const NOTES = [
  'notifications/initialized',
  'notifications/cancelled',
  'subscriptions/listen',
  'completion/complete',
];
const JSON_TYPE = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

export function drawModern(draw: Draw, doors: Doors) {
  const call = drawToolCall(draw, doors);
  const method = draw.chance(85) ? 'tools/call' : draw.pick([...RPC, ...NOTES, drawString(draw)]);
  const version = draw.chance(92) ? '2026-07-28' : draw.pick(VERSIONS);
  const params = draw.chance(95)
    ? { ...call, _meta: draw.chance(96) ? metaOf(version) : drawJson(draw) }
    : drawJson(draw);
  return {
    method: 'POST',
    path: draw.chance(97) ? '/mcp' : draw.pick(['/mcp/', '/mcp?x=1', '/mcp//', '/MCP']),
    headers: {
      ...JSON_TYPE,
      ...bearer(draw, doors),
      'mcp-protocol-version': version,
      'mcp-method': draw.chance(97) ? method : drawString(draw),
      'mcp-name': draw.chance(97) ? call.name : drawString(draw),
    },
    body: JSON.stringify({
      jsonrpc: draw.chance(98) ? '2.0' : drawJson(draw),
      id: drawRpcId(draw),
      method,
      params,
    }),
  };
}

function metaOf(version: string) {
  return {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'fuzz', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
}

export function drawLegacy(draw: Draw, doors: Doors) {
  return { ...legacyPost(draw, doors), body: JSON.stringify(drawMessage(draw, doors)) };
}

export function drawBatch(draw: Draw, doors: Doors) {
  const messages = Array.from({ length: draw.pick([0, 1, 2, 3, 21]) }, () => drawMessage(draw, doors));
  return { ...legacyPost(draw, doors), body: JSON.stringify(messages) };
}

function legacyPost(draw: Draw, doors: Doors) {
  const version = draw.chance(90)
    ? { 'mcp-protocol-version': draw.pick(['2025-11-25', '2025-06-18', ...VERSIONS]) }
    : {};
  return { method: 'POST', path: '/mcp', headers: { ...JSON_TYPE, ...bearer(draw, doors), ...version } };
}

function drawMessage(draw: Draw, doors: Doors): unknown {
  if (draw.chance(4)) return drawJson(draw);
  const method = draw.chance(70) ? 'tools/call' : draw.pick([...RPC, ...NOTES, drawString(draw)]);
  const id = draw.chance(85) ? { id: drawRpcId(draw) } : {};
  return {
    jsonrpc: '2.0',
    ...id,
    method,
    params: draw.chance(95) ? drawToolCall(draw, doors) : drawJson(draw),
  };
}

function drawRpcId(draw: Draw): unknown {
  return draw.chance(90) ? draw.upTo(99) : drawJson(draw, 1);
}
