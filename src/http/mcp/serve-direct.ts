import type { Caller } from '../../reads/admission.ts';
import type { RunRead } from '../../reads/run-read.ts';
import { escapeJson, isPlainJson } from '../../text/escape-json.ts';
import type { DirectCall } from './direct-call.ts';
import { serverInfo, toolList } from './tool-list.ts';

export interface DirectServer {
  /** Returns the JSON-RPC response as text. */
  serve(call: DirectCall, caller: Caller, abort: AbortController): Promise<string>;
  /** Aborts a caller's in-flight call by its id. */
  cancel(caller: Caller, id: unknown): void;
}

/** Answers direct calls without the protocol library. Callers share nothing but constant texts. */
export function createDirectServer(
  runRead: RunRead,
  version: string,
  onListed: (caller: Caller) => Promise<void>,
): DirectServer {
  const list = `"tools":${escapeJson(JSON.stringify(toolList))}`;
  const metadata = `"_meta":${JSON.stringify({ 'io.modelcontextprotocol/serverInfo': serverInfo(version) })}`;
  const endOf = {
    legacy: { list: '', call: '' },
    modern: {
      list: `,"resultType":"complete","ttlMs":0,"cacheScope":"private",${metadata}`,
      call: `,"resultType":"complete",${metadata}`,
    },
  };
  const inFlight = new Map<string, Set<AbortController>>();

  const runTool = async (
    { id, tool, arguments: input }: DirectCall & Required<Pick<DirectCall, 'tool'>>,
    caller: Caller,
    abort: AbortController,
  ) => {
    const key = keyOf(caller, id);
    const calls = inFlight.get(key) ?? new Set();
    inFlight.set(key, calls.add(abort));
    try {
      return await runRead(tool, input, caller, { surface: 'mcp', signal: abort.signal });
    } finally {
      calls.delete(abort);
      if (calls.size === 0) inFlight.delete(key);
    }
  };

  return {
    async serve(call, caller, abort) {
      const frame = (result: string) =>
        `{"result":{${result}},"jsonrpc":"2.0","id":${escapeJson(JSON.stringify(call.id))}}`;
      const { tool, era } = call;
      if (tool === undefined) {
        await onListed(caller);
        return frame(list + endOf[era].list);
      }
      const { text, isError } = await runTool({ ...call, tool }, caller, abort);
      const isPlain = isPlainJson(text);
      const [json, repeated] = [text, JSON.stringify(text)].map((one) => (isPlain ? one : escapeJson(one)));
      // The text repeats the structured content as JSON, because each client shows its model only one of the two.
      const content = `"content":[{"type":"text","text":${repeated}}]`;
      return frame(
        `${content},"structuredContent":${json}${isError ? ',"isError":true' : ''}${endOf[era].call}`,
      );
    },
    cancel(caller, id) {
      const calls = inFlight.get(keyOf(caller, id));
      // Programs that share a token may use the same id. Then nothing is cancelled, because the target is ambiguous.
      if (calls?.size === 1) for (const abort of calls) abort.abort();
    },
  };
}

function keyOf(caller: Caller, id: unknown): string {
  return JSON.stringify([caller.tokenHash, id]);
}
