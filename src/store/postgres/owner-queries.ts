import type { PostgresDatabase, Queries } from './database.ts';

/** Queries of one owner. Every statement names the owner id. */
export type OwnerQueries = Queries & Pick<PostgresDatabase, 'ownerId'>;
