import { isolateOwners } from './isolate-owners.ts';

/** Byte order of UTF-8 is the order of code points, as answers promise. The database may have another order. */
const text = 'text collate "C"';

/** Owners, catalog, imports, grants, the authorization server, the owner's browsers, and the audit log. */
export const accessSchema = `
  create table owners (
    owner_id integer generated always as identity primary key, name ${text} not null unique,
    created_at ${text} not null
  );
  -- Numbers given out in the order of commits. The row 'seq' is also the lock of an owner's transactions.
  create table counters (
    owner_id integer not null references owners, name ${text} not null, value bigint not null,
    primary key (owner_id, name)
  );
  create table settings (
    owner_id integer not null references owners, name ${text} not null, value ${text} not null,
    primary key (owner_id, name)
  );

  create table sources (
    owner_id integer not null references owners, connector_key ${text} not null, declaration ${text} not null,
    declaration_version ${text} not null, added_at ${text} not null, primary key (owner_id, connector_key)
  );
  create table connections (
    owner_id integer not null, connection_id ${text} not null, connector_key ${text} not null,
    display_name ${text} not null, created_at ${text} not null, account ${text}, self ${text},
    primary key (owner_id, connection_id), foreign key (owner_id, connector_key) references sources
  );
  create table streams (
    owner_id integer not null, stream_id integer not null, connection_id ${text} not null,
    stream ${text} not null, plan ${text} not null, primary key (owner_id, stream_id),
    unique (owner_id, connection_id, stream), foreign key (owner_id, connection_id) references connections
  );
  -- Streams of removed connections whose records are still being erased. Their numbers are not given out again.
  create table removals (
    owner_id integer not null, stream_id integer not null, connection_id ${text} not null,
    removed_at ${text} not null, primary key (owner_id, stream_id)
  );

  create table imports (
    owner_id integer not null references owners, import_id integer not null, connection_id ${text} not null,
    format ${text} not null, started_at ${text} not null, ended_at ${text}, state ${text} not null,
    report ${text} not null, primary key (owner_id, import_id)
  );
  create index imports_connection on imports (owner_id, connection_id);
  create table import_spans (
    owner_id integer not null, import_id integer not null, stream_id integer not null, from_seq bigint not null,
    to_seq bigint not null, primary key (owner_id, import_id, stream_id, from_seq),
    foreign key (owner_id, import_id) references imports
  );

  create table grants (
    owner_id integer not null references owners, grant_id ${text} not null, client_name ${text} not null,
    created_at ${text} not null, expires_at ${text}, revoked_at ${text}, body ${text} not null, client_id ${text},
    verified_host ${text}, redirect_host ${text}, ended_connections ${text}, primary key (owner_id, grant_id)
  );
  create table tokens (
    owner_id integer not null references owners, token_hash ${text} not null, kind ${text} not null,
    grant_id ${text}, created_at ${text} not null, expires_at ${text}, resource ${text}, payload ${text},
    primary key (owner_id, token_hash), foreign key (owner_id, grant_id) references grants
  );
  create index tokens_grant on tokens (owner_id, grant_id);
  create table oauth_items (
    owner_id integer not null references owners, kind ${text} not null, id_hash ${text} not null,
    payload ${text} not null, grant_id ${text}, uid_hash ${text}, user_code_hash ${text},
    created_at bigint not null, expires_at bigint, consumed_at bigint, primary key (owner_id, kind, id_hash)
  );
  create index oauth_items_grant on oauth_items (owner_id, grant_id) where grant_id is not null;
  create index oauth_items_uid on oauth_items (owner_id, kind, uid_hash) where uid_hash is not null;
  create index oauth_items_user_code on oauth_items (owner_id, kind, user_code_hash)
    where user_code_hash is not null;
  create index oauth_items_expiry on oauth_items (owner_id, expires_at) where expires_at is not null;

  create table sessions (
    owner_id integer not null references owners, session_hash ${text} not null, created_at ${text} not null,
    seen_at ${text} not null, expires_at ${text} not null, user_agent ${text},
    primary key (owner_id, session_hash)
  );
  create table setup_links (
    owner_id integer not null references owners, link_hash ${text} not null, created_at ${text} not null,
    expires_at ${text} not null, used_at ${text}, primary key (owner_id, link_hash)
  );

  create table audit (
    owner_id integer not null, id bigint not null, at ${text} not null, request_id ${text} not null,
    client ${text} not null, grant_id ${text}, surface ${text} not null, tool ${text} not null,
    connection_id ${text}, stream ${text}, fields ${text}, records bigint not null, tokens_out bigint not null,
    ms double precision not null, outcome ${text} not null, touched bigint, way ${text}, primary key (owner_id, id)
  );
  create index audit_grant on audit (owner_id, grant_id, id);
  create index audit_at on audit (owner_id, at);
  create table events (
    owner_id integer not null, id bigint not null, at ${text} not null, kind ${text} not null, client_id ${text},
    client ${text}, grant_id ${text}, detail ${text}, n bigint not null default 1, primary key (owner_id, id)
  );
  create index events_client on events (owner_id, client_id, kind, id);
  create index events_grant on events (owner_id, grant_id, kind, id);
  create index events_at on events (owner_id, at);
  -- What is left of pruned reads: counts per day of the owner's calendar. grant_id is empty for the owner.
  create table usage_days (
    owner_id integer not null, day ${text} not null, grant_id ${text} not null, client ${text} not null,
    surface ${text} not null, tool ${text} not null, outcome ${text} not null, calls bigint not null,
    records bigint not null, tokens_out bigint not null, first_at ${text} not null, last_at ${text} not null,
    primary key (owner_id, day, grant_id, client, surface, tool, outcome)
  );
  create index usage_days_grant on usage_days (owner_id, grant_id);
  -- Up to which number retention has removed entries.
  create table pruned (
    owner_id integer not null, log ${text} not null, through_id bigint not null, primary key (owner_id, log)
  );
  ${isolateOwners(
    ...['counters', 'settings', 'sources', 'connections', 'streams', 'removals', 'imports', 'import_spans'],
    ...[
      'grants',
      'tokens',
      'oauth_items',
      'sessions',
      'setup_links',
      'audit',
      'events',
      'usage_days',
      'pruned',
    ],
  )}
`;
