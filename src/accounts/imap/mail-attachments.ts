import { ATTACHMENTS, type AttachedFile } from '../../attachments/attached-file.ts';
import {
  AttachedTexts,
  type AttachmentReading,
  limitFiles,
  makeAttachment,
  openContent,
} from '../../import/attachment-record.ts';
import type { SyncRecord } from '../sync-source.ts';
import type { Data } from './mail-records.ts';

/** Files that are read at the same time. */
const MAX_PENDING = 4;

/** Returns the records of the files in a mail, as an mbox import makes them. */
export async function readAttachments(
  { id, sent_at }: Data,
  attached: readonly AttachedFile[],
  reading: AttachmentReading,
): Promise<SyncRecord[]> {
  const files = limitFiles(attached, reading);
  const parent = { key: String(id), time: sent_at };
  const texts = new AttachedTexts();
  const records: SyncRecord[] = [];
  for (let at = 0; at < files.length; at += MAX_PENDING) {
    const some = files.slice(at, at + MAX_PENDING).map(async (file, index) => {
      const found = file.content === undefined ? 'damaged' : openContent(file.content);
      return makeAttachment(parent, at + index, file, found, reading);
    });
    for (const data of await Promise.all(some))
      records.push({ stream: ATTACHMENTS, data: texts.limit(data) });
  }
  return records;
}
