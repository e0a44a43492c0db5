import { aggregate } from './aggregate.ts';
import { fetch } from './fetch.ts';
import { queryRecords } from './query-records.ts';
import { schema } from './schema.ts';
import { search } from './search.ts';
import type { Tool } from './tool.ts';

/** All tools, in the order of `tools/list`. Every caller gets the same five. */
export const tools: readonly Tool[] = [schema, queryRecords, aggregate, search, fetch];
