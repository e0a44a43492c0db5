import type { ReadVersions } from '../limits/call-context.ts';

/** A grant as it is stored. */
export interface GrantRow {
  readonly grant_id: string;
  readonly client_name: string;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  /** JSON: the frozen terms. */
  readonly body: string;
  readonly client_id: string | null;
  readonly verified_host: string | null;
  readonly redirect_host: string | null;
  /** JSON: connection ids. */
  readonly ended_connections: string | null;
}

/** A token with its grant, if it has one. */
export type AccessRow = {
  readonly kind: string;
  readonly token_expires_at: string | null;
  readonly resource: string | null;
  /** The versions of the store at the same moment, if each read of them would cost a round trip. */
  readonly versions?: ReadVersions;
} & { readonly [Name in keyof GrantRow]: GrantRow[Name] | null };

/** A token that is created on the command line. */
export interface NewToken {
  readonly tokenHash: string;
  readonly kind: 'client' | 'owner';
  readonly grantId: string | null;
  readonly createdAt: string;
  readonly expiresAt: string | null;
}

export interface EndedGrant {
  readonly grantId: string;
  readonly clientId: string | undefined;
  readonly clientName: string;
}

/** Reads of grants and tokens. */
export interface GrantReads {
  /** Returns a token with its grant. Every request calls it. */
  findAccess(tokenHash: string): Promise<AccessRow | undefined>;
  find(grantId: string): Promise<GrantRow | undefined>;
  /** Returns all grants, the oldest first. */
  list(): Promise<GrantRow[]>;
}

/** Storage of grants and of the tokens made for them. */
export interface GrantStore extends GrantReads {
  add(grant: GrantRow): Promise<void>;
  addToken(token: NewToken): Promise<void>;
  /** Ends a grant that is not ended yet. If several calls do this at once, only one gets the grant. */
  end(grantId: string, at: string): Promise<EndedGrant | undefined>;
  /** Ends all grants that are not ended yet. Returns them in any order. */
  endAll(at: string): Promise<EndedGrant[]>;
  /** Replaces the terms of a grant. */
  setBody(grantId: string, body: string): Promise<void>;
  /** Sets the connections that the owner has ended for a grant. */
  setEndedConnections(grantId: string, connectionIds: readonly string[]): Promise<void>;
  /**
   * Sets the expiry of a grant that is not ended, and of its command-line token, which lasts as long as the grant.
   * Returns false if there is no such grant.
   */
  setExpiry(grantId: string, expiresAt: string | null): Promise<boolean>;
  /** Sets an expiry if it is earlier than the current one. Returns whether it was. */
  shortenExpiry(grantId: string, expiresAt: string): Promise<boolean>;
  /** Deletes owner tokens that were created before a time, or all of them. Returns their number. */
  deleteOwnerTokens(createdBefore?: string): Promise<number>;
  /** Deletes all tokens, and all items of the authorization server except registrations and grants. */
  deleteIssued(): Promise<void>;
}
