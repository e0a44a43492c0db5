import { withAppServer } from './support/codex-app-server.ts';
import { describeClient, QUERY } from './support/describe-client.ts';

interface Listed {
  data: { name: string; authStatus: string; tools: Record<string, unknown> }[];
}

const eras = { Codex: [], 'Codex, 2026': ['--enable', 'mcp_2026_07_28'] };

for (const [name, options] of Object.entries(eras))
  describeClient({
    name,
    package: 'codex',
    refusal: /Auth required/,
    open(server, desk) {
      return {
        async signIn() {
          const { code, out, err } = await desk.run('codex', [
            ...options,
            'mcp',
            'add',
            'pdpp',
            '--url',
            server.url,
          ]);
          if (code !== 0 || !out.includes('Successfully logged in.')) throw new Error(`${out}\n${err}`);
        },
        listTools: () =>
          withAppServer(desk, options, async (request) => {
            const { data } = await request<Listed>('mcpServerStatus/list');
            const [pdpp] = data.filter((one) => one.name === 'pdpp');
            if (pdpp?.authStatus !== 'oAuth') throw new Error(JSON.stringify(data).slice(0, 500));
            return Object.keys(pdpp.tools);
          }),
        search: () =>
          withAppServer(desk, options, async (request) => {
            const { thread } = await request<{ thread: { id: string } }>('thread/start');
            const call = {
              threadId: thread.id,
              server: 'pdpp',
              tool: 'search',
              arguments: { query: QUERY },
            };
            return JSON.stringify(await request('mcpServer/tool/call', call));
          }).catch(String),
      };
    },
  });
