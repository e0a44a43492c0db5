import { hash } from 'node:crypto';
import { detectType, mayHaveText } from './detect-type.ts';
import type { FileText } from './file-text.ts';
import { findPhotoTime } from './photo-time.ts';
import type { TextLimits } from './text-limits.ts';
import type { TextPool } from './text-pool.ts';

/** The bytes of an attached file. */
export interface AttachedBytes {
  /** Undefined if it is known only after reading. */
  readonly size: number | undefined;
  head(): Promise<Uint8Array>;
  open(): AsyncIterable<Uint8Array>;
}

export interface ReadAttachment extends FileText {
  readonly size: number | undefined;
  /** As the camera wrote it, often without a zone. */
  readonly takenAt?: string | undefined;
  /** Tells files apart by their size and beginning. */
  readonly fingerprint: string;
}

/** Reads what is stored of a file. Only files that may have text are read beyond their beginning. */
export async function readAttachment(
  file: AttachedBytes,
  name: string | undefined,
  declared: string | undefined,
  { limits, pool }: { limits: TextLimits; pool: TextPool },
): Promise<ReadAttachment> {
  const head = await file.head();
  const mediaType = detectType(head, name, declared);
  const hasText = mayHaveText(mediaType);
  const whole = hasText || file.size === undefined ? await readWhole(file, limits.fileBytes) : undefined;
  const size = file.size ?? whole?.size;
  const facts = {
    size,
    takenAt: mediaType.startsWith('image/') ? findPhotoTime(head) : undefined,
    fingerprint: hash('sha256', Buffer.concat([Buffer.from(`${size}\n`), head]), 'base64url').slice(0, 10),
  };
  if (!hasText) return { ...facts, mediaType, status: 'unsupported' };
  if (whole?.bytes === undefined) return { ...facts, mediaType, status: 'too_large' };
  return { ...facts, mediaType, ...(await pool.read({ bytes: whole.bytes, name, mediaType: declared })) };
}

/** Returns the size of a file, and its bytes unless there are too many. */
async function readWhole(file: AttachedBytes, limit: number): Promise<{ size: number; bytes?: Uint8Array }> {
  if (file.size !== undefined && file.size > limit) return { size: file.size };
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of file.open()) {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
    else chunks.length = 0;
  }
  return size > limit ? { size } : { size, bytes: Buffer.concat(chunks) };
}
