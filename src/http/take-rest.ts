import type { IncomingMessage, ServerResponse } from 'node:http';

/** So much of a body that nobody wants is read and thrown away before its answer is sent. */
const REST_MS = 2_000;
const REST_BYTES = 64 * 1024 * 1024;
/** How long we go on reading after the answer to a body that is longer than that. */
const LINGER_MS = 5_000;

/**
 * Waits until the rest of a request has come, so that it can be answered. An answer that overtakes its request is lost
 * on the way: proxies close a connection on which somebody still sends, and whoever uses it next is cut off. Where the
 * rest is too long, the answer says that the connection ends with it, and we read on for a while (RFC 9112 §9.6): to
 * close on what is still coming would be a reset, which can take the answer with it.
 */
export async function takeRest(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  if (await hasCome(incoming)) return;
  outgoing.shouldKeepAlive = false;
  const { socket } = incoming;
  // What Node calls once the answer is written. It would close both directions at once.
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}

function hasCome(incoming: IncomingMessage): Promise<boolean> {
  return new Promise((resolve) => {
    let bytes = 0;
    const timer = setTimeout(() => resolve(false), REST_MS);
    const end = (came: boolean) => {
      clearTimeout(timer);
      resolve(came);
    };
    // Stays until the connection ends: somebody must take what comes.
    incoming.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > REST_BYTES) end(false);
    });
    incoming.once('end', () => end(true));
    incoming.once('close', () => end(incoming.complete));
    incoming.resume();
  });
}
