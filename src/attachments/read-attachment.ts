import { hashForKey } from '../secrets/content-hash.ts';
import type { AttachedBytes } from './attached-file.ts';
import { detectType, mayHaveText } from './detect-type.ts';
import type { FileText } from './file-text.ts';
import { findPhotoTime } from './photo-time.ts';
import type { TextBudget } from './text-budget.ts';
import type { TextLimits } from './text-limits.ts';
import type { TextPool } from './text-pool.ts';

export interface ReadAttachment extends FileText {
  readonly size: number | undefined;
  /** As the camera wrote it, often without a zone. */
  readonly takenAt?: string | undefined;
  /** Identifies a file by its size and its first bytes. */
  readonly fingerprint: string;
}

/**
 * Reads the text and metadata of a file. Only files that may have text are read beyond their beginning. A file that
 * cannot be opened is `damaged`.
 */
export async function readAttachment(
  file: AttachedBytes,
  name: string | undefined,
  declared: string | undefined,
  options: { limits: TextLimits; pool: TextPool; budget: TextBudget },
): Promise<ReadAttachment> {
  const head = await file.head().catch(() => undefined);
  if (head === undefined) return describeDamaged(file.size, declared);
  const mediaType = detectType(head, name, declared);
  const hasText = mayHaveText(mediaType);
  const isRead = hasText || file.size === undefined;
  const whole = isRead ? await readWhole(file, options.limits.fileBytes).catch(() => 'damaged' as const) : {};
  const size = file.size ?? (whole === 'damaged' ? undefined : whole.size);
  const facts = {
    size,
    takenAt: mediaType.startsWith('image/') ? findPhotoTime(head) : undefined,
    fingerprint: makeFingerprint(size, head),
  };
  if (whole === 'damaged') return { ...facts, mediaType, status: 'damaged' };
  if (!hasText) return { ...facts, mediaType, status: 'unsupported' };
  if (whole.bytes === undefined) return { ...facts, mediaType, status: 'too_large' };
  const job = { bytes: whole.bytes, name, mediaType: declared };
  return { ...facts, mediaType, ...(await options.pool.read(job, options.budget)) };
}

/** Describes a file whose bytes cannot be read. */
export function describeDamaged(size: number | undefined, mediaType = ''): ReadAttachment {
  return { status: 'damaged', mediaType, size, fingerprint: makeFingerprint(size) };
}

/** A hash, because record keys contain it and must not reveal the size of a file. */
function makeFingerprint(size: number | undefined, head: Uint8Array = new Uint8Array()): string {
  const hash = hashForKey(Buffer.concat([Buffer.from(`${size}\n`), head]));
  return hash.toString('base64url').slice(0, 10);
}

/** Returns the size of a file, and its bytes unless there are too many. */
async function readWhole(file: AttachedBytes, limit: number): Promise<{ size?: number; bytes?: Uint8Array }> {
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
