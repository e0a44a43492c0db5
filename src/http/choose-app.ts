import type { HttpBindings } from '@hono/node-server';

/** Node's request and response. */
export type RequestBindings = HttpBindings;

/** Answers a request. */
export type AppFetch = (request: Request, bindings: RequestBindings) => Response | Promise<Response>;

export interface HostApps {
  readonly main: AppFetch;
  /** The Host headers of the main owner. */
  readonly mainHosts: ReadonlySet<string>;
  /** The port that the address of every other owner has as well; empty for the standard one. */
  readonly port: string;
  /** Answers with the app of the owner who has this host. Returns undefined if no owner has it. */
  readonly fetchHosted: (
    host: string,
    request: Request,
    bindings: RequestBindings,
  ) => Promise<Response | undefined>;
}

const HOST_NAME = /^[a-z0-9.-]{1,253}$/;

/**
 * Returns a function that chooses the app by the Host header alone. The main app gets requests for unknown hosts and
 * refuses them.
 */
export function chooseAppByHost({ main, mainHosts, port, fetchHosted }: HostApps): AppFetch {
  const end = port === '' ? '' : `:${port}`;
  return (request, bindings) => {
    const header = bindings.incoming.headers.host ?? '';
    if (mainHosts.has(header)) return main(request, bindings);
    const host = header.endsWith(end) ? header.slice(0, header.length - end.length) : '';
    if (!HOST_NAME.test(host) || !isOnlyHost(bindings, header)) return main(request, bindings);
    return fetchHosted(host, request, bindings).then((response) => response ?? main(request, bindings));
  };
}

/** Another Host header, or another host in the request line, could make a proxy and this server disagree. */
function isOnlyHost({ incoming: { rawHeaders, url = '' } }: RequestBindings, header: string): boolean {
  const count = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;
  return count === 1 && (url.startsWith('/') || (URL.canParse(url) && new URL(url).host === header));
}
