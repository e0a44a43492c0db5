/** The proxy between a host and an app: loads the app in a frame, and passes messages on. */
const app = document.createElement('iframe');
app.title = 'chart';
app.setAttribute('sandbox', 'allow-scripts');
const host = new URL(document.referrer).origin;
window.addEventListener('message', ({ source, data }) => {
  if (source === app.contentWindow) {
    window.parent.postMessage(data, host);
  } else if (source === window.parent && data?.method === 'ui/notifications/sandbox-resource-ready') {
    app.srcdoc = data.params.html;
    document.body.append(app);
  } else if (source === window.parent) {
    app.contentWindow?.postMessage(data, '*');
  }
});
window.parent.postMessage(
  { jsonrpc: '2.0', method: 'ui/notifications/sandbox-proxy-ready', params: {} },
  host,
);
