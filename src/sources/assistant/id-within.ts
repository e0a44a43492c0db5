const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The key of something inside a talk. Ids that are unique everywhere stand for themselves; short ones, such as
 * other tools make, repeat from talk to talk and are told apart by it.
 */
export function idWithin(talk: string, id: string): string {
  return UUID.test(id) ? id : `${talk}/${id}`;
}
