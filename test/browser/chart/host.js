import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';

/**
 * A host of MCP Apps in a page: the reference implementation of the host's side (`AppBridge`), and two frames as the
 * specification asks for a web page: a proxy of another origin, which holds the app.
 */
const messages = [];
let bridge;
let frame;

/** Shows an app, and returns when it is initialized. */
window.showApp = async (resource, sandboxUrl, hostContext) => {
  messages.length = 0;
  frame?.remove();
  frame = document.createElement('iframe');
  frame.title = 'app';
  frame.setAttribute('sandbox', 'allow-scripts allow-same-origin');
  const ready = new Promise((resolve) => {
    window.addEventListener('message', function listen({ source, data }) {
      if (source !== frame.contentWindow || data?.method !== 'ui/notifications/sandbox-proxy-ready') return;
      window.removeEventListener('message', listen);
      resolve();
    });
  });
  const { csp } = resource._meta.ui;
  frame.src = `${sandboxUrl}?csp=${encodeURIComponent(JSON.stringify(csp))}`;
  document.body.append(frame);
  await ready;
  bridge = new AppBridge(null, { name: 'test host', version: '1' }, {}, { hostContext });
  const initialized = new Promise((resolve) => {
    bridge.oninitialized = resolve;
  });
  bridge.onsizechange = ({ height }) => {
    if (height !== undefined) frame.style.height = `${height}px`;
  };
  const transport = new PostMessageTransport(frame.contentWindow, frame.contentWindow);
  await bridge.connect(transport);
  const forward = transport.onmessage;
  transport.onmessage = (message, ...rest) => {
    messages.push(message);
    forward(message, ...rest);
  };
  await bridge.sendSandboxResourceReady({ html: resource.text, csp });
  await initialized;
};

window.sendResult = async (args, result) => {
  await bridge.sendToolInput({ arguments: args });
  await bridge.sendToolResult(result);
};
window.cancel = () => bridge.sendToolCancelled({ reason: 'stopped' });
window.setContext = (context) => bridge.setHostContext(context);
window.tearDown = () => bridge.teardownResource({});
/** The methods of everything that the app sent. */
window.listMessages = () =>
  messages.map(
    ({ method, result, error }) => method ?? (error ? 'error' : `result ${JSON.stringify(result)}`),
  );
