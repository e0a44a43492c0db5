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
} & { readonly [Name in keyof GrantRow]: GrantRow[Name] | null };

/** A token that is made on the command line. */
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

export interface GrantReads {
  /** Looks a token up. Every request asks for this. */
  findAccess(tokenHash: string): Promise<AccessRow | undefined>;
  find(grantId: string): Promise<GrantRow | undefined>;
  /** Returns all grants, the oldest first. */
  list(): Promise<GrantRow[]>;
}

/** Storage of grants and of the tokens made for them. */
export interface GrantStore extends GrantReads {
  add(grant: GrantRow): Promise<void>;
  addToken(token: NewToken): Promise<void>;
  /** Ends a grant that is not ended yet. Of several calls at once, one gets the grant. */
  end(grantId: string, at: string): Promise<EndedGrant | undefined>;
  endAll(at: string): Promise<EndedGrant[]>;
  setBody(grantId: string, body: string): Promise<void>;
  setEndedConnections(grantId: string, connectionIds: readonly string[]): Promise<void>;
  /**
   * Sets the expiry of a grant that is not ended, and of its command-line token, which lasts as long as the grant.
   * Returns false if there is none.
   */
  setExpiry(grantId: string, expiresAt: string | null): Promise<boolean>;
  /** Sets an expiry that is earlier than the present one. Returns whether it was. */
  shortenExpiry(grantId: string, expiresAt: string): Promise<boolean>;
  /** Deletes owner tokens that were created before a time, or all of them. Returns their number. */
  deleteOwnerTokens(createdBefore?: string): Promise<number>;
  /** Deletes all tokens, and all items of the authorization server but registrations and grants. */
  deleteIssued(): Promise<void>;
}
