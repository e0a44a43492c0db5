import { errorCodes } from '../../../src/errors.ts';
import { INSIDE_WORDS } from '../../support/inputs/hostile-values.ts';

/** An answer as a client has it. */
export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  readonly ms: number;
}

const MAX_BYTES = 2_000_000;
/** Far more than any answer takes on a busy machine; a request that hangs or loops takes longer. */
const MAX_DURATION_MS = 30_000;

/** What is wrong with an answer, or nothing: it must be typed, bounded, in time, and say nothing of our insides. */
export function judgeAnswer(answer: Answer): string | undefined {
  const { status, type, text, ms } = answer;
  if (status >= 500) return `status ${status}`;
  if (ms > MAX_DURATION_MS) return `took ${Math.round(ms)} ms`;
  if (text.length > MAX_BYTES) return `${text.length} characters`;
  if (type.startsWith('text/html') || type.startsWith('text/markdown')) return undefined;
  const inside = INSIDE_WORDS.exec(text);
  if (inside !== null && status >= 400) return `says ${inside[0]}`;
  // Some clients take these for the end of a line, and lines are what events are made of.
  if (/[\u2028\u2029]/.test(text)) return 'holds a raw line separator';
  try {
    if (type.startsWith('text/event-stream')) return judgeMessages(readEvents(text));
    if (type.startsWith('application/json')) return judgeJson(status, text);
  } catch {
    return 'is not JSON';
  }
  return status >= 400 ? judgeBare(status, text) : undefined;
}

function judgeJson(status: number, text: string): string | undefined {
  if (text === '') return undefined;
  const body = JSON.parse(text) as unknown;
  if (isMessage(body) || (Array.isArray(body) && body.length > 0 && body.every(isMessage)))
    return judgeMessages([body].flat());
  return status < 400 || isRefusal(body) ? undefined : `an untyped ${status}`;
}

/** Without a body a status says enough only where HTTP itself gives it its meaning. */
function judgeBare(status: number, text: string): string | undefined {
  return text === '' ? undefined : `an untyped ${status}: ${text.slice(0, 80)}`;
}

/** Ours or OAuth's. */
function isRefusal(body: unknown): boolean {
  const error = (body as { error?: unknown } | null)?.error;
  if (typeof error === 'string') return /^[a-z_]+$/.test(error) && error !== 'server_error';
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' && Object.hasOwn(errorCodes, code) && code !== 'internal';
}

interface Message {
  jsonrpc: '2.0';
  error?: { code: number };
  result?: { isError?: boolean; structuredContent?: unknown };
}

function isMessage(body: unknown): body is Message {
  return (body as Partial<Message> | null)?.jsonrpc === '2.0';
}

/** The protocol's own internal error is as bad as ours. */
function judgeMessages(messages: unknown[]): string | undefined {
  for (const message of messages) {
    if (!isMessage(message)) return 'not a message';
    if (message.error?.code === -32603) return 'an internal error of the protocol';
    if (message.result?.isError === true && !isRefusal(message.result.structuredContent))
      return `an untyped tool error: ${JSON.stringify(message.result).slice(0, 200)}`;
  }
  return undefined;
}

function readEvents(text: string): unknown[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice('data: '.length)) as unknown);
}
