import { findFreePort } from '../support/run-cli.ts';
import { describeClient, QUERY } from './support/describe-client.ts';

describeClient({
  name: 'mcporter',
  package: 'mcporter',
  refusal: /access_denied/,
  open(server, desk) {
    const run = async (...args: string[]) => {
      const { code, out, err } = await desk.run('mcporter', args);
      return { code, text: `${out}\n${err}` };
    };
    return {
      async signIn() {
        // Without a fixed address it registers anew each time, and cannot use its refresh token.
        const oauthRedirectUrl = `http://127.0.0.1:${await findFreePort()}/callback`;
        desk.write('config/mcporter.json', {
          mcpServers: { pdpp: { baseUrl: server.url, auth: 'oauth', oauthRedirectUrl } },
        });
        const { code, text } = await run('auth', 'pdpp');
        if (code !== 0) throw new Error(text);
      },
      async listTools() {
        const { out, err } = await desk.run('mcporter', ['list', 'pdpp', '--json']);
        const listed = JSON.parse(out || err) as { tools: { name: string }[] };
        return listed.tools.map((tool) => tool.name);
      },
      search: async () => (await run('call', 'pdpp.search', `query:${QUERY}`)).text,
    };
  },
});
