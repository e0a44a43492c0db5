const URL_PARTS = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)([^?#]*)(.*)$/s;
const TARGET_SESSION_ATTRS = /(?<=[?&])target_session_attrs=[^&#]*&?/g;

/**
 * Returns one URL per server of a database URL: `postgres://user@a:5432,b:5433/db` has two, as in libpq. Throws if it is
 * not the URL of a PostgreSQL database.
 */
export function splitDatabaseUrl(url: string): string[] {
  const { before, hosts, database, query } = parse(url);
  // pdpp always uses the server that accepts writes.
  const rest = `${database}${query.replace(TARGET_SESSION_ATTRS, '').replace(/[?&]$/, '')}`;
  return hosts.map((host) => {
    const one = `${before}${host}${rest}`;
    if (!URL.canParse(one)) throw new Error('The database URL contains an invalid host.');
    return one;
  });
}

/** Returns the hosts and the name of a database, without user and password. */
export function describeDatabaseUrl(url: string): string {
  const { hosts, database } = parse(url);
  return decodeURIComponent(`${hosts.join(',')}${database}`);
}

function parse(url: string) {
  const [, before, hosts = '', database = '', query = ''] = URL_PARTS.exec(url) ?? [];
  if (before === undefined) throw new Error('The database URL does not start with postgres://.');
  return { before, hosts: hosts.split(','), database, query };
}
