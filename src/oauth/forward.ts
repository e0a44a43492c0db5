import type { EventEmitter } from 'node:events';
import { toFetchResponse, toReqRes } from 'fetch-to-node';
import type Provider from 'oidc-provider';
// A private file: there is no other way to let this storage go, and while it is held every later call is slower.
import requests from 'oidc-provider/lib/helpers/als.js';
import { disableWhenIdle } from '../limits/disable-when-idle.ts';
import type { WriteStore } from '../store/store.ts';

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

const whileAnswering = disableWhenIdle(requests);
const failures = new WeakMap<object, unknown>();

/** What the library and the framework below it would answer in their own words is kept for `forward` to throw. */
export function keepFailures(provider: Provider): void {
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
 * Lets the authorization server answer a request. Whatever it stores for one request is one act, and stored before the
 * answer leaves: a code is used up together with the tokens it is given for, or not at all. A refusal is an answer
 * too, and may end a grant. A failure in there is thrown, like one of ours.
 */
export async function forward(
  { provider, store, publicUrl }: Forwarding,
  request: Request,
): Promise<Response> {
  const { req, res } = toNodePair(request, publicUrl);
  // A client's document may be fetched before anything is written: others must not wait for its host.
  await store.transact(async () => {
    await whileAnswering(() => provider.callback()(req, res));
    if (res.statusCode >= 500 && failures.has(req)) throw failures.get(req);
  }, 'first write');
  return toFetchResponse(res as never);
}
