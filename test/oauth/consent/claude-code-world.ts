import { OAuthClient } from '../../support/oauth-client.ts';
import { useSignedInWorld } from '../../support/use-world.ts';
import { createWorld } from '../../support/world.ts';

const CLAUDE_CODE = 'https://claude.ai/oauth/claude-code-client-metadata';
const REDIRECT = 'http://localhost:5555/callback';

/** An empty world with a signed-in owner, an app that named itself, and one whose metadata document is published. */
export async function useClaudeCodeWorld() {
  const fetchDocument = async () =>
    Response.json({
      client_id: CLAUDE_CODE,
      client_name: 'Claude Code',
      redirect_uris: [REDIRECT],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    });
  const signedIn = await useSignedInWorld(createWorld({ clock: 'real', fetchDocument }));
  return { ...signedIn, published: new OAuthClient(signedIn.world, CLAUDE_CODE, REDIRECT) };
}
