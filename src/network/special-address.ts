import { isIP } from 'node:net';
import { createProxyList } from '../limits/proxies.ts';

// Two lists: in a shared one, a v6 network around ::ffff:0:0/96 would match every IPv4 address.

/** IANA special-purpose registry for IPv4, with multicast and the reserved block. */
const isSpecialV4 = createProxyList([
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, cloud metadata
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relay
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
]);

/**
 * Only 2000::/3 is handed out as global unicast, so the first three lines refuse the rest of IPv6 in one go:
 * ::, ::1, v4-mapped, NAT64 (64:ff9b), 100::/64, 5f00::/16, fc00::/7, fe80::/10, ff00::/8.
 */
const isSpecialV6 = createProxyList([
  '::/3',
  '4000::/2',
  '8000::/1',
  '2001::/23', // protocol assignments: Teredo, benchmarking, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, carries an IPv4 address
  '2620:4f:8000::/48', // AS112
  '3ffe::/16', // the closed 6bone
  '3fff::/20', // documentation
]);

/** Returns whether an address is not on the public internet. Invalid addresses and those with a zone count as special. */
export function isSpecialAddress(address: string): boolean {
  if (address.includes('%')) return true;
  const family = isIP(address);
  return family === 0 || (family === 4 ? isSpecialV4 : isSpecialV6)(address);
}

/** Networks of homes and offices: private, loopback, carrier-grade NAT (also used by VPNs) and unique local addresses. */
const isHomeV4 = createProxyList([
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
]);
const isHomeV6 = createProxyList(['::1', 'fc00::/7']);

/**
 * Returns whether an address can be a server at the owner's home. Link-local addresses are not among them, because
 * clouds serve credentials there.
 */
export function isHomeAddress(address: string): boolean {
  if (address.includes('%')) return false;
  return isHomeV4(address) || isHomeV6(address);
}

export function isLoopbackAddress(address: string): boolean {
  return address === '::1' || /^127\.\d+\.\d+\.\d+$/.test(address);
}
