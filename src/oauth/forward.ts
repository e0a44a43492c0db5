import type { EventEmitter } from 'node:events';
import { toFetchResponse, toReqRes } from 'fetch-to-node';
import type Provider from 'oidc-provider';

type NodePair = Parameters<ReturnType<Provider['callback']>>;

/**
 * The library speaks Node's request and response. Whatever a proxy or a caller claims about the address is
 * replaced by the configured one, from which it builds every URL it answers with.
 */
export function toNodePair(request: Request, publicUrl: string) {
  const { protocol, host } = new URL(publicUrl);
  const headers = new Headers(request.headers);
  for (const name of ['forwarded', 'x-forwarded-for', 'x-forwarded-port', 'x-real-ip']) headers.delete(name);
  headers.set('host', host);
  headers.set('x-forwarded-host', host);
  headers.set('x-forwarded-proto', protocol.slice(0, -1));
  const { req, res } = toReqRes(new Request(request, { headers }));
  Object.defineProperty(req, 'socket', { value: {} });
  return { req, res } as unknown as { req: NodePair[0]; res: NodePair[1] };
}

const failures = new WeakMap<object, unknown>();

/** What the framework below the library would print and answer in its own words is kept for `forward` to throw. */
export function keepFailures(provider: Provider): void {
  (provider as EventEmitter).on('error', (error: unknown, ctx?: { req: object }) => {
    if (ctx !== undefined) failures.set(ctx.req, error);
  });
}

/** Lets the authorization server answer a request. A bug in there is thrown, like one of ours. */
export async function forward(provider: Provider, request: Request, publicUrl: string): Promise<Response> {
  const { req, res } = toNodePair(request, publicUrl);
  await provider.callback()(req, res);
  if (res.statusCode >= 500 && failures.has(req)) throw failures.get(req);
  return toFetchResponse(res as never);
}
