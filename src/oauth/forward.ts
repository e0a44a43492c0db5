import type { EventEmitter } from 'node:events';
import { toFetchResponse, toReqRes } from 'fetch-to-node';
import type Provider from 'oidc-provider';
// A private file: the library offers no other way to disable this storage, which slows down every later call.
import requests from 'oidc-provider/lib/helpers/als.js';
import { disableWhenIdle } from '../limits/disable-when-idle.ts';
import type { WriteStore } from '../store/store.ts';

type NodePair = Parameters<ReturnType<Provider['callback']>>;

/**
 * Converts a request to Node's request and response, which the library needs. The address that a proxy or a caller
 * claims is replaced by the configured one, because the library builds URLs from it.
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

const runWithStorage = disableWhenIdle(requests);
/** Errors by request. The library reports an error as an event, and `forward` throws it. */
const failures = new WeakMap<object, unknown>();

/** Collects errors for which the library would send its own response, so that `forward` can throw them. */
export function collectFailures(provider: Provider): void {
  (provider as EventEmitter).on('error', (error: unknown, ctx?: { req: object }) => {
    if (ctx !== undefined) failures.set(ctx.req, error);
  });
  provider.on('server_error', ({ req }, error) => {
    failures.set(req, error);
  });
}

export interface Forwarding {
  readonly provider: Provider;
  readonly store: WriteStore;
  readonly publicUrl: string;
}

/**
 * Lets the authorization server answer a request, in one transaction that commits before the answer is sent: a code is
 * used up together with its tokens, or not at all. A refusal commits as well, because it may end a grant.
 */
export async function forward(
  { provider, store, publicUrl }: Forwarding,
  request: Request,
): Promise<Response> {
  const { req, res } = toNodePair(request, publicUrl);
  // The transaction begins with the first write: a slow fetch of a client's document must not block other writers.
  await store.transact(async () => {
    await runWithStorage(() => provider.callback()(req, res));
    if (res.statusCode >= 500 && failures.has(req)) throw failures.get(req);
  }, 'first write');
  return toFetchResponse(res as never);
}
