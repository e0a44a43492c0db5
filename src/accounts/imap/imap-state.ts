import { z } from 'zod';

/**
 * The sync state of a folder. Mails with a UID below `low` are not read yet: the first sync reads the newest ones
 * first. Mails from `next` on are new.
 */
const folderState = z.object({
  uidValidity: z.string(),
  next: z.number().int().min(1),
  low: z.number().int().min(1),
  /** The number of items. If the server has another number, mails were deleted. */
  count: z.number().int().min(0),
  modseq: z.string().optional(),
  /** When the flags of all mails were compared, on a server without mod-sequences. */
  comparedAt: z.number().optional(),
});
const imapState = z.object({
  version: z.literal(1),
  /** Addresses of the owner, to find the mails that the owner wrote. */
  own: z.array(z.string()),
  folders: z.record(z.string(), folderState),
  /** Collections whose folder the server did not list in the last run. */
  missing: z.array(z.string()).default([]),
});

export type FolderState = z.infer<typeof folderState>;
export type ImapState = z.infer<typeof imapState>;

/** Returns the stored state. One that cannot be read starts from the beginning: keys are the same, so nothing doubles. */
export function readState(state: unknown): ImapState {
  const read = imapState.safeParse(state);
  return read.success ? read.data : { version: 1, own: [], folders: {}, missing: [] };
}

/** The id of the items of a folder. A new UIDVALIDITY gives new UIDs, so it is part of the name. */
export const nameCollection = (path: string, uidValidity: string): string => `${path}\u0001${uidValidity}`;

const UID_DIGITS = 10;
/** Items are ordered by text, so numbers have a fixed width. */
export const nameItem = (uid: number): string => String(uid).padStart(UID_DIGITS, '0');
export const readUid = (item: string): number => Number(item);
