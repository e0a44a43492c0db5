/** An item of the authorization server, stored under a kind and a hash. Times are seconds since 1970. */
export interface StoredItem {
  readonly idHash: string;
  /** JSON, without the id itself. */
  readonly payload: string;
  readonly grantId: string | null;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly consumedAt: number | null;
}

export type ItemKey =
  | { readonly idHash: string }
  | { readonly uidHash: string }
  | { readonly userCodeHash: string };

export interface NewItem {
  readonly kind: string;
  readonly idHash: string;
  readonly payload: string;
  readonly grantId?: string | undefined;
  readonly uidHash?: string | undefined;
  /** If undefined, an existing item keeps its value. */
  readonly userCodeHash?: string | undefined;
  readonly createdAt: number;
  readonly expiresAt?: number | undefined;
}

export interface NewAccessToken {
  readonly tokenHash: string;
  readonly grantId: string | undefined;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly resource: string | undefined;
  readonly payload: string;
}

/** Storage of the authorization server: its items, and the access tokens that every call is checked against. */
export interface OAuthStore {
  findItem(kind: string, key: ItemKey): Promise<StoredItem | undefined>;
  /** Adds an item, or replaces it except for the times of creation and use. */
  saveItem(item: NewItem): Promise<void>;
  /** Marks an item as used. Returns false if it was used before or does not exist. */
  consumeItem(kind: string, idHash: string, at: number): Promise<boolean>;
  /** Sets the time at which an item was used. */
  setConsumedAt(kind: string, idHash: string, at: number): Promise<void>;
  /** Makes an item permanent. */
  removeItemExpiry(kind: string, idHash: string): Promise<void>;
  deleteItem(kind: string, idHash: string): Promise<void>;
  deleteItemsOfGrant(kind: string, grantId: string): Promise<void>;
  deleteItemsExpiredBefore(seconds: number): Promise<void>;
  /** Deletes the oldest items of a kind that expire, until at most `max` are left. */
  trimExpiringItems(kind: string, max: number): Promise<void>;
  /** Adds or replaces an access token. */
  saveAccessToken(token: NewAccessToken): Promise<void>;
  findAccessTokenPayload(tokenHash: string): Promise<string | undefined>;
  deleteAccessToken(tokenHash: string): Promise<void>;
  deleteAccessTokensOfGrant(grantId: string): Promise<void>;
  deleteAccessTokensExpiredBefore(time: Date): Promise<void>;
  /** Returns whether a hash belongs to a token, or to an item of one of these kinds. */
  isIssued(hash: string, kinds: readonly string[]): Promise<boolean>;
}
