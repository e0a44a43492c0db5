import { BlockList, isIP } from 'node:net';

export type IsProxy = (address: string) => boolean;

/** Returns whether a text is an address or a range of addresses (CIDR). */
export function isAddressRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

export function createProxyList(ranges: readonly string[]): IsProxy {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const type = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    if (bits === undefined) list.addAddress(address, type);
    else list.addSubnet(address, Number(bits), type);
  }
  return (address) => isIP(address) !== 0 && list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}

/**
 * Returns the client's address. Each trusted proxy appends the address that called it, so the list is read from its end
 * to the first address that is not a trusted proxy. Anyone may have written the entries before it. If an entry is not an
 * address, the last proxy is the client.
 */
export function findClient(peer: string, forwardedFor: string | undefined, isProxy: IsProxy): string {
  let client = peer;
  const hops = forwardedFor?.split(',').map((hop) => unmapIpv4(hop.trim())) ?? [];
  while (isProxy(client)) {
    const hop = hops.pop();
    if (hop === undefined || isIP(hop) === 0) break;
    client = hop;
  }
  return client;
}

/** Returns the IPv4 address inside an IPv4-mapped IPv6 address, and any other address unchanged. */
export function unmapIpv4(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}

/** Returns the key that attempts are counted by. An IPv6 host owns its whole /64 network, so it counts as one. */
export function addressKey(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail = ''] = address.replace(/%.*$/, '').toLowerCase().split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail === '' ? [] : tail.split(':');
  // An IPv4 address at the end counts as two groups.
  const ends = after.length + (after.at(-1)?.includes('.') ? 1 : 0);
  const missing = address.includes('::') ? Math.max(0, 8 - groups.length - ends) : 0;
  const all = [...groups, ...Array<string>(missing).fill('0'), ...after];
  return `${all
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}
