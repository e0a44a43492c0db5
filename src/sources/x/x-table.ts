import type { ImportOptions } from '../../import/importer.ts';
import type { Row, TableKind } from '../files/table-kind.ts';
import type { Loose } from '../values/loose.ts';
import { readPost } from './x-records.ts';

/** Until 2019 an archive had all posts in a table too. */
export const xTable: TableKind = {
  columns: ['tweet_id', 'in_reply_to_status_id', 'timestamp', 'source', 'text', 'retweeted_status_id'],
};

export function readTableRow(row: Row, options: ImportOptions): Loose {
  const links = [...new Set((row.expanded_urls ?? '').split(',').filter((link) => link !== ''))];
  return readPost(
    {
      id_str: row.tweet_id,
      text: row.text,
      created_at: row.timestamp,
      source: row.source,
      in_reply_to_status_id_str: row.in_reply_to_status_id,
      retweeted: row.retweeted_status_id !== undefined,
      entities: { urls: links.map((url) => ({ url })) },
    },
    options,
  );
}
