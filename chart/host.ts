import { isFields } from './model/result.ts';

/**
 * The messages between this page and the program that shows it, by MCP Apps 2026-01-26. The page asks for nothing but
 * the handshake: it calls no tool, reads no resource and opens no link.
 */
const PROTOCOL_VERSION = '2026-01-26';
const INITIALIZE_ID = 1;
const METHOD_NOT_FOUND = { code: -32601, message: 'Method not found' };

export interface HostEvents {
  /** The theme, language and colours of the host, at the start and with each change. */
  onContext(context: Readonly<Record<string, unknown>>): void;
  onResult(toolResult: unknown): void;
  onCancelled(): void;
}

/** Starts the handshake and forwards what the host sends. Returns a function that reports the height of the page. */
export function connectHost(events: HostEvents): (height: number) => void {
  const send = (message: object) => window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  window.addEventListener('message', ({ source, data }) => {
    if (source !== window.parent || !isFields(data) || data.jsonrpc !== '2.0') return;
    const { id, method, result, error } = data;
    const params = isFields(data.params) ? data.params : {};
    if (method === undefined) {
      if (id !== INITIALIZE_ID || error !== undefined || !isFields(result)) return;
      if (isFields(result.hostContext)) events.onContext(result.hostContext);
      send({ method: 'ui/notifications/initialized' });
    } else if (id !== undefined) {
      const isKnown = method === 'ping' || method === 'ui/resource-teardown';
      send(isKnown ? { id, result: {} } : { id, error: METHOD_NOT_FOUND });
    } else if (method === 'ui/notifications/tool-result') events.onResult(params);
    else if (method === 'ui/notifications/tool-cancelled') events.onCancelled();
    else if (method === 'ui/notifications/host-context-changed') events.onContext(params);
  });
  send({
    id: INITIALIZE_ID,
    method: 'ui/initialize',
    params: {
      protocolVersion: PROTOCOL_VERSION,
      appInfo: { name: 'pdpp chart', version: '1' },
      appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
    },
  });
  return (height) => send({ method: 'ui/notifications/size-changed', params: { height } });
}
