import type { Context } from 'hono';
import { AppError } from '../errors.ts';
import { jsonDepth, MAX_JSON_DEPTH } from '../text/json-depth.ts';

/** A JSON body of at most so many bytes, whether its length was announced or not. */
export async function readJsonBody(c: Context, mostBytes: number): Promise<unknown> {
  const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    throw new AppError('unsupported_media_type', 'The body must be application/json.');
  }
  const text = await inTime(readText(c, mostBytes));
  if (jsonDepth(text) > MAX_JSON_DEPTH)
    throw new AppError('invalid_argument', 'The body is nested too deeply.');
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError('invalid_argument', 'The body is not valid JSON.');
  }
}

/** A form as browsers and OAuth clients send it. */
export async function readFormBody(c: Context, mostBytes: number): Promise<URLSearchParams> {
  const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded') {
    throw new AppError('unsupported_media_type', 'The body must be application/x-www-form-urlencoded.');
  }
  return new URLSearchParams(await inTime(readText(c, mostBytes)));
}

const BODY_MS = 10_000;

/** A body that trickles in is given up on. */
async function inTime<T>(reading: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new AppError('invalid_argument', 'The body did not arrive in time.')),
      BODY_MS,
    );
  });
  try {
    return await Promise.race([reading, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function readText(c: Context, mostBytes: number): Promise<string> {
  const tooLarge = () => new AppError('payload_too_large', `The body may have at most ${mostBytes} bytes.`);
  const announced = c.req.header('content-length');
  if (announced !== undefined) {
    if (Number(announced) > mostBytes) throw tooLarge();
    return c.req.text();
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of c.req.raw.body ?? []) {
    length += chunk.length;
    if (length > mostBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
