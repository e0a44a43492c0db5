import { get } from 'node:http';

// The health check of the container. The server answers under its public name only.
const { PDPP_PORT: port = '7733', PDPP_PUBLIC_URL: url = `http://127.0.0.1:${port}` } = process.env;
const { host } = new URL(url);
get({ port, path: '/readyz', headers: { host }, timeout: 4_000 }, ({ statusCode }) =>
  process.exit(statusCode === 200 ? 0 : 1),
).on('error', () => process.exit(1));
