import { createServer, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TokenProxy {
  readonly origin: string;
  close(): void;
}

/**
 * The suite has no option for a token: this adds one on the way to the server. Where a request names the proxy
 * as its host or origin it then names the server; every other name stays, so that rebinding is still tried on
 * the server itself.
 */
export async function startTokenProxy(target: string, token: string): Promise<TokenProxy> {
  const { hostname, port, host, origin } = new URL(target);
  const proxy = createServer((request, response) => {
    const own = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const renamed = new Map([
      [`host ${own}`, host],
      [`origin http://${own}`, origin],
    ]);
    // The raw list keeps duplicates and letter case, which the header scenarios are about.
    const headers = request.rawHeaders.map((text, at, all) =>
      at % 2 === 0 ? text : (renamed.get(`${all[at - 1]?.toLowerCase()} ${text}`) ?? text),
    );
    if (request.headers.authorization === undefined) headers.push('Authorization', `Bearer ${token}`);
    const { method, url: path } = request;
    const upstream = sendRequest({ hostname, port, method, path, headers, setHost: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    });
    upstream.on('error', () => response.destroy());
    response.on('close', () => upstream.destroy());
    request.pipe(upstream);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    close() {
      proxy.close();
      proxy.closeAllConnections();
    },
  };
}
