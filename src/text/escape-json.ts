/**
 * Characters that end a line for some readers of text and event streams, though neither for JSON nor for SSE:
 * U+2028, U+2029 and U+0085. JSON itself writes all other such characters, and lone surrogates, as escapes.
 */
const LINE_ENDS = /[\u0085\u2028\u2029]/g;

/** Whether none of them is in it. */
export function isPlainJson(json: string): boolean {
  return json.search(LINE_ENDS) === -1;
}

/** The same JSON, with line ends inside its strings written as escapes. */
export function escapeJson(json: string): string {
  return isPlainJson(json)
    ? json
    : json.replace(LINE_ENDS, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The same for the body of an answer that was made elsewhere: JSON, or an event stream of it, piece by piece as it comes. */
export async function escapeBody(answer: Response): Promise<ReadableStream<Uint8Array> | string | null> {
  if (answer.body === null) return null;
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream');
  return isStream ? escapeStream(answer.body) : escapeJson(await answer.text());
}

/** The same as an answer. */
export async function escapeAnswer(answer: Response): Promise<Response> {
  const { status, headers } = answer;
  return answer.body === null ? answer : new Response(await escapeBody(answer), { status, headers });
}

function escapeStream(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  // A character may come in two pieces, so the bytes are read as one text.
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
