/** More than one owner in a deployment, each at a host name. An owner with `removed_at` is not served any more. */
export const hostsSchema = `
  alter table owners add column host text collate "C" unique, add column removed_at text collate "C";
`;
