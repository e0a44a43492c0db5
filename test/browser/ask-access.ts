import { createHash } from 'node:crypto';

/** Registers an app as it would itself, and makes the address it sends the browser to. */
export async function askAccess(
  origin: string,
  { name, redirectUri, verifier }: { name: string; redirectUri: string; verifier: string },
): Promise<{ clientId: string; startUrl: string }> {
  const response = await fetch(`${origin}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: name, redirect_uris: [redirectUri] }),
  });
  const { client_id: clientId } = (await response.json()) as { client_id: string };
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state: 'state of the app',
    resource: `${origin}/mcp`,
  });
  return { clientId, startUrl: `${origin}/oauth/authorize?${query}` };
}
