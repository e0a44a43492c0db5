/** A signed-in browser. Its cookie is stored as a hash only. Times are ISO texts. */
export interface StoredSession {
  readonly hash: string;
  readonly createdAt: string;
  readonly seenAt: string;
  readonly expiresAt: string;
  readonly userAgent: string | null;
}

/** A link to set the passphrase, stored as a hash only. */
export interface StoredLink {
  readonly hash: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly usedAt: string | null;
}

/** Reads of the owner's passphrase, sessions and settings. */
export interface OwnerReads {
  /** Returns the derived passphrase, if one is set. */
  readPassphrase(): Promise<string | undefined>;
  findSession(hash: string): Promise<StoredSession | undefined>;
  /** Returns the number of the last event that the owner has seen; 0 if there is none. */
  readSeenEvent(): Promise<number>;
  /** Returns whether the store knows that the passphrase was set at this time or later. */
  isPassphraseSetSince(time: string): Promise<boolean>;
}

/** Storage of the owner's passphrase, signed-in browsers and links to set the passphrase. */
export interface OwnerStore extends OwnerReads {
  /** Stores the derived passphrase and the time at which it was set. */
  savePassphrase(derived: string, at: string): Promise<void>;
  /** Stores the last event that the owner has seen. */
  setSeenEvent(eventId: number): Promise<void>;
  addSession(session: StoredSession): Promise<void>;
  /** Changes the last use and the expiry of a session. */
  updateSession(session: Pick<StoredSession, 'hash' | 'seenAt' | 'expiresAt'>): Promise<void>;
  /** Returns the sessions that end after `now` and were used after `seenAfter`, the latest used first. */
  listSessions(request: { now: string; seenAfter: string; limit: number }): Promise<StoredSession[]>;
  /** Deletes the sessions that ended by `now` or were not used after `seenAfter`. */
  deleteEndedSessions(request: { now: string; seenAfter: string }): Promise<void>;
  deleteSession(hash: string): Promise<void>;
  /** Deletes the sessions that were created before a time. Returns their number. */
  deleteSessionsBefore(time: string): Promise<number>;
  /** Deletes all sessions. Returns their number. */
  deleteAllSessions(): Promise<number>;
  addSetupLink(link: StoredLink): Promise<void>;
  findSetupLink(hash: string): Promise<StoredLink | undefined>;
  /** Marks an unused link that ends after `now` and by `latest` as used. Returns false if there is none. */
  useSetupLink(hash: string, request: { now: string; latest: string }): Promise<boolean>;
  deleteUnusedLinks(): Promise<void>;
}
