import { randomUUID } from 'node:crypto';
import PostalMime from 'postal-mime';
import type { Mail } from './read-mime.ts';

/**
 * The library handles all of MIME, but is many times slower. Throws if a mail is nested too deeply or has endless
 * headers.
 */
export async function parseWithLibrary(raw: Buffer): Promise<Mail> {
  const { thin, bodies } = thinAttachments(raw);
  const email = await PostalMime.parse(thin, {
    maxNestingDepth: 64,
    maxRfc822NestingDepth: 4,
  });
  return {
    headers: email.headers,
    from: email.from,
    to: email.to ?? [],
    cc: email.cc ?? [],
    bcc: email.bcc ?? [],
    subject: email.subject,
    messageId: email.messageId,
    text: email.text,
    html: email.html,
    attachments: email.attachments.map(({ filename, mimeType, content }) => ({
      name: filename ?? undefined,
      mediaType: mimeType,
      ...findContent(content, bodies),
    })),
  };
}

/** The placeholder of a removed file. Senders cannot guess it. */
const MARK = `thinned ${randomUUID()} `;
const WORTH_BYTES = 4_096;
const LOOKED_AT = 2_000;

/**
 * Removes files from a mail before parsing and records where they are: they are most of a mailbox. Removes only non-text
 * parts that are declared as base64 and look like it.
 */
function thinAttachments(raw: Buffer): { thin: Buffer; bodies: Buffer[] } {
  const pieces: Buffer[] = [];
  const bodies: Buffer[] = [];
  let copied = 0;
  for (let at = raw.indexOf('ase64'); at !== -1; at = raw.indexOf('ase64', at + 5)) {
    const body = findBody(raw, at);
    if (body === undefined) continue;
    pieces.push(
      raw.subarray(copied, body.start),
      Buffer.from(Buffer.from(`${MARK}${bodies.length}`).toString('base64')),
    );
    bodies.push(raw.subarray(body.start, body.end));
    copied = body.end;
    at = body.end;
  }
  return { thin: copied === 0 ? raw : Buffer.concat([...pieces, raw.subarray(copied)]), bodies };
}

/** Returns the size and the bytes of an attachment, also of a removed one. */
function findContent(content: ArrayBuffer | Uint8Array | string, bodies: readonly Buffer[]) {
  const bytes = Buffer.from(content as ArrayBuffer);
  const text = bytes.length < 80 ? bytes.toString('latin1') : '';
  const body = text.startsWith(MARK) ? bodies[Number(text.slice(MARK.length))] : undefined;
  if (body === undefined) return { bytes: bytes.length, content: () => bytes };
  return { bytes: countBytes(body), content: () => decodeBase64(body) };
}

/** Returns the body of the part with this header, if it can be removed. */
function findBody(raw: Buffer, at: number): { start: number; end: number } | undefined {
  const unix = raw.indexOf('\n\n', at);
  const dos = raw.indexOf('\r\n\r\n', at);
  const start = Math.min(unix < 0 ? raw.length : unix + 2, dos < 0 ? raw.length : dos + 4);
  // The headers of a part follow a line that begins with two hyphens, and contain no empty line.
  const from = raw.lastIndexOf('\n--', at);
  const headers = raw.toString('latin1', from, Math.min(start, from + 8_000));
  if (from < 0 || start >= raw.length || /\n\r?\n./.test(headers)) return undefined;
  if (!/^content-transfer-encoding:\s*base64/im.test(headers)) return undefined;
  if (!/^content-type:/im.test(headers) || /^content-type:\s*(?:text|message|multipart)\//im.test(headers))
    return undefined;
  const next = raw.indexOf('\n--', start);
  const end = next < 0 ? raw.length : next;
  if (end - start < WORTH_BYTES) return undefined;
  const isBase64 = /^[A-Za-z0-9+/=\s]+$/.test(raw.toString('latin1', start, start + LOOKED_AT));
  return isBase64 ? { start, end } : undefined;
}

const decodeBase64 = (base64: Buffer) => Buffer.from(base64.toString('latin1'), 'base64');
const countBytes = (base64: Buffer) => decodeBase64(base64).length;
