import { aggregate } from './aggregate.ts';
import { fetch } from './fetch.ts';
import { queryRecords } from './query-records.ts';
import { schema } from './schema.ts';
import { search } from './search.ts';
import type { Tool } from './tool.ts';

/** The whole surface, in the order it is listed: exactly these five, the same for every caller. */
export const tools: readonly Tool[] = [schema, queryRecords, aggregate, search, fetch];
