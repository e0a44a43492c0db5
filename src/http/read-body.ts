import type { Context } from 'hono';
import { AppError } from '../errors.ts';
import { jsonDepth, MAX_JSON_DEPTH } from '../text/json.ts';
import type { RequestHead } from './guard.ts';

/** Enough for every form and registration except the consent form. */
const MAX_BODY_BYTES = 64 * 1024;
const BODY_TIMEOUT_MS = 10_000;

/** Reads a JSON body with a limit on its size, whether its length was announced or not. */
export async function readJsonBody(c: Context, maxBytes = MAX_BODY_BYTES): Promise<unknown> {
  return parseJsonBody(await readText(c, 'application/json', maxBytes));
}

/** Parses a JSON body with a limit on its depth. */
export function parseJsonBody(text: string): unknown {
  if (jsonDepth(text) > MAX_JSON_DEPTH)
    throw new AppError('invalid_argument', 'The body is nested too deeply.');
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError('invalid_argument', 'The body is not valid JSON.');
  }
}

export async function readFormBody(c: Context, maxBytes = MAX_BODY_BYTES): Promise<URLSearchParams> {
  return new URLSearchParams(await readText(c, 'application/x-www-form-urlencoded', maxBytes));
}

export function mediaType(c: RequestHead): string {
  return c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
}

/** Reads a body as text, with a timeout. */
async function readText(c: Context, type: string, maxBytes: number): Promise<string> {
  if (mediaType(c) !== type) throw new AppError('unsupported_media_type', `The body must be ${type}.`);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new AppError('invalid_argument', 'The body did not arrive in time.')),
      BODY_TIMEOUT_MS,
    );
  });
  try {
    return await Promise.race([readBounded(c, maxBytes), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function readBounded(c: Context, maxBytes: number): Promise<string> {
  const tooLarge = () => new AppError('payload_too_large', `The body may have at most ${maxBytes} bytes.`);
  const announced = c.req.header('content-length');
  if (announced !== undefined) {
    if (Number(announced) > maxBytes) throw tooLarge();
    return c.req.text();
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of c.req.raw.body ?? []) {
    length += chunk.length;
    if (length > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
