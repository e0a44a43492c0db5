import { isolateOwners } from './isolate-owners.ts';

const text = 'text collate "C"';

/** Accounts that sync, their items, and the records of each item. */
export const accountsSchema = `
  create table accounts (
    owner_id integer not null references owners, account_id ${text} not null, kind ${text} not null,
    account ${text} not null, connection_id ${text}, settings ${text} not null, credentials ${text},
    allows_private integer not null, interval_seconds integer not null, paused integer not null,
    collections ${text}, state ${text}, created_at ${text} not null, last_run_at ${text}, last_changes ${text},
    problem ${text}, stopped integer not null, next_run_at ${text}, failures integer not null,
    emitted_at bigint not null, running_until ${text}, progress ${text}, primary key (owner_id, account_id)
  );
  create index accounts_connection on accounts (owner_id, connection_id);
  create table account_items (
    owner_id integer not null, account_id ${text} not null, collection ${text} not null, item ${text} not null,
    version ${text}, primary key (owner_id, account_id, collection, item),
    foreign key (owner_id, account_id) references accounts
  );
  create table account_records (
    owner_id integer not null, stream_id integer not null, key ${text} not null, account_id ${text} not null,
    collection ${text} not null, item ${text} not null, was_there integer not null,
    primary key (owner_id, stream_id, key, account_id, collection, item),
    foreign key (owner_id, account_id) references accounts
  );
  create index account_records_item on account_records (owner_id, account_id, collection, item);
  create index account_records_waiting on account_records (owner_id, account_id) where item = '';
  ${isolateOwners('accounts', 'account_items', 'account_records')}
`;
