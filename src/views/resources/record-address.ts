import { writeRecordId } from '../../tools/record-id.ts';

/** The parts of a record's address, in the order they stand in it. */
export const ADDRESS_PARTS = ['connection', 'stream', 'key'] as const;
export type AddressPart = (typeof ADDRESS_PARTS)[number];

/** Where records are, for people and for apps: the address of the page is the name of the resource. */
export function addressTemplate(origin: string): string {
  return `${origin}/r/${ADDRESS_PARTS.map((part) => `{${part}}`).join('/')}`;
}

/** What follows /r/ in an address of this server, still percent-encoded. */
export function readAddress(uri: string, origin: string): string | undefined {
  const prefix = `${origin}/r/`;
  return uri.startsWith(prefix) ? uri.slice(prefix.length) : undefined;
}

/** A key as it is filled into the template. */
export function keyInAddress(key: string): string {
  return decodeURIComponent(writeRecordId('c', 's', key).slice('c/s/'.length));
}
