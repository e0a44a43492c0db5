import type { ClientMetadata } from 'oidc-provider';
import { replaceInvisible } from '../../text/unseen.ts';
import { findDocumentUrl } from '../documents/check-document.ts';

/** The client of a request, as far as it is verified, and where the browser returns to. */
export interface RequestingClient {
  readonly client_id: string;
  readonly name: string;
  /** The host that publishes the client's document. Absent if the client chose its name itself. */
  readonly verified_host?: string;
  readonly redirect_uri?: string;
  /** `this_computer` for a loopback redirect, `device` when a code was typed instead. */
  readonly redirect_kind: 'web' | 'this_computer' | 'app' | 'device';
  readonly redirect_host: string;
  readonly redirect_uris: readonly string[];
}

const MAX_NAME_CHARACTERS = 60;

export function describeClient(metadata: ClientMetadata, redirectUri: string | undefined): RequestingClient {
  const verified = findDocumentUrl(metadata.client_id)?.host;
  return {
    client_id: metadata.client_id,
    name: cleanName(metadata.client_name) ?? verified ?? 'Unnamed app',
    ...(verified === undefined ? {} : { verified_host: verified }),
    ...(redirectUri === undefined ? {} : { redirect_uri: redirectUri }),
    ...describeRedirect(redirectUri),
    redirect_uris: metadata.redirect_uris ?? [],
  };
}

export function cleanName(name: unknown): string | undefined {
  return cleanText(name, MAX_NAME_CHARACTERS);
}

/** Returns untrusted text as one line without invisible or unassigned characters, cut to a length. */
export function cleanText(text: unknown, maxCharacters: number): string | undefined {
  if (typeof text !== 'string') return undefined;
  const visible = removeInvisible(text.replace(/\s+/gu, ' ')).replace(/[\p{Cn}\p{Co}\p{Cs}]/gu, '');
  const characters = [...visible.replace(/ +/g, ' ').trim()].slice(0, maxCharacters);
  // A cut may leave a joiner at the end.
  const plain = removeInvisible(characters.join('')).trim();
  return plain === '' ? undefined : plain;
}

function removeInvisible(text: string): string {
  return replaceInvisible(text, () => '');
}

function describeRedirect(
  uri: string | undefined,
): Pick<RequestingClient, 'redirect_kind' | 'redirect_host'> {
  if (uri === undefined) return { redirect_kind: 'device', redirect_host: 'the device that shows the code' };
  const { protocol, host, hostname } = new URL(uri);
  if (protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(hostname)) {
    return { redirect_kind: 'this_computer', redirect_host: host };
  }
  if (protocol === 'https:') return { redirect_kind: 'web', redirect_host: host };
  return { redirect_kind: 'app', redirect_host: `${protocol}//${host}` };
}
