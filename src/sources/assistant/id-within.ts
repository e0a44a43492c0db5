const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Returns the key of an item in a conversation. Short ids repeat across conversations, so they get the
 * conversation as a prefix; UUIDs do not.
 */
export function idWithin(talk: string, id: string): string {
  return UUID.test(id) ? id : `${talk}/${id}`;
}
