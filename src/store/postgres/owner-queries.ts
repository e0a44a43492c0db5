import type { PostgresDatabase, Queries } from './database.ts';

/** Statements of one owner, with the owner's number, which every statement names. */
export type OwnerQueries = Queries & Pick<PostgresDatabase, 'ownerId'>;
