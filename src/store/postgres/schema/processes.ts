import { isolateOwners } from './isolate-owners.ts';

const text = 'text collate "C"';

/** What the processes of a deployment share: leases, limits, and jobs with their uploaded files. */
export const processesSchema = `
  -- Work that one process does at a time, until the lease expires by the clock of the database.
  create table leases (
    owner_id integer not null references owners, name ${text} not null, holder ${text} not null,
    expires_at timestamptz not null, primary key (owner_id, name)
  );

  -- Attempts of strangers. The key is a keyed hash of an address.
  create table attempts (
    owner_id integer not null references owners, attempt_id bigint generated always as identity,
    throttle ${text} not null, key ${text}, at bigint not null, primary key (owner_id, attempt_id)
  );
  create index attempts_key on attempts (owner_id, throttle, key, at);
  create index attempts_at on attempts (owner_id, throttle, at);
  -- Token buckets of apps.
  create table buckets (
    owner_id integer not null references owners, name ${text} not null, level double precision not null,
    capacity double precision not null, per_ms double precision not null, filled_at bigint not null,
    primary key (owner_id, name)
  );

  create table jobs (
    owner_id integer not null references owners, job_id ${text} not null, kind ${text} not null,
    state ${text} not null, view ${text} not null, detail ${text} not null, is_stopping boolean not null default false,
    created_at bigint not null, changed_at bigint not null, primary key (owner_id, job_id)
  );
  create table job_parts (
    owner_id integer not null, job_id ${text} not null, file integer not null, part integer not null,
    data bytea not null, primary key (owner_id, job_id, file, part),
    foreign key (owner_id, job_id) references jobs on delete cascade
  );
  alter table job_parts alter column data set storage external;
  ${isolateOwners('leases', 'attempts', 'buckets', 'jobs', 'job_parts')}
`;
