const PARTS = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)([^?#]*)(.*)$/s;
const TARGET = /(?<=[?&])target_session_attrs=[^&#]*&?/g;

/**
 * Returns a URL for each server that the URL of a database names: `postgres://user@a:5432,b:5433/db` has two, as libpq
 * takes them. Throws if it is not the URL of a PostgreSQL database.
 */
export function splitDatabaseUrl(url: string): string[] {
  const { before, hosts, database, query } = parse(url);
  // Of several servers, the one that accepts changes is always used.
  const rest = `${database}${query.replace(TARGET, '').replace(/[?&]$/, '')}`;
  return hosts.map((host) => {
    const one = `${before}${host}${rest}`;
    if (!URL.canParse(one)) throw new Error('A host of the database is no host.');
    return one;
  });
}

/** Returns the hosts and the name of a database, without user and password. */
export function describeDatabaseUrl(url: string): string {
  const { hosts, database } = parse(url);
  return decodeURIComponent(`${hosts.join(',')}${database}`);
}

function parse(url: string) {
  const [, before, hosts = '', database = '', query = ''] = PARTS.exec(url) ?? [];
  if (before === undefined) throw new Error('The URL of the database is not one of PostgreSQL.');
  return { before, hosts: hosts.split(','), database, query };
}
