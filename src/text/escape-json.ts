/** Characters that some parsers of event streams treat as line ends, although neither JSON nor SSE does. */
const LINE_ENDS = /[\u0085\u2028\u2029]/g;

/** Returns whether the JSON has none of these characters. Three plain searches take a tenth of the time of the pattern. */
export function isPlainJson(json: string): boolean {
  return !json.includes('\u2028') && !json.includes('\u2029') && !json.includes('\u0085');
}

/** Escapes these characters inside the strings of JSON. */
export function escapeJson(json: string): string {
  return isPlainJson(json)
    ? json
    : json.replace(LINE_ENDS, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Escapes the body of a response: JSON, or an event stream of JSON, chunk by chunk. */
export async function escapeBody(answer: Response): Promise<ReadableStream<Uint8Array> | string | null> {
  if (answer.body === null) return null;
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream');
  return isStream ? escapeStream(answer.body) : escapeJson(await answer.text());
}

/** Escapes a response. */
export async function escapeAnswer(answer: Response): Promise<Response> {
  const { status, headers } = answer;
  return answer.body === null ? answer : new Response(await escapeBody(answer), { status, headers });
}

function escapeStream(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  // A character can be split between chunks.
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const reader = stream.getReader();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read();
      controller.enqueue(encoder.encode(escapeJson(decoder.decode(value, { stream: !done }))));
      if (done) controller.close();
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
