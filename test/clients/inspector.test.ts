import { describeClient, QUERY } from './support/describe-client.ts';

/** The fixed address of its callback, so one run at a time. */
for (const era of ['legacy', 'modern'] as const) {
  describeClient({
    name: `Inspector CLI, ${era}`,
    package: 'inspector',
    refusal: /The owner said no/,
    open(server, desk) {
      const run = async (...args: string[]) => {
        const address = ['--cli', '--server-url', server.url, '--transport', 'http', '--protocol-era', era];
        const { code, out, err } = await desk.run(
          'mcp-inspector',
          [...address, ...args, '--format', 'json', '-q'],
          { environment: { MCP_AUTO_OPEN_ENABLED: 'true', MCP_INSPECTOR_SECRET_STORE: 'file' } },
        );
        return { code, out, text: `${code} ${out}\n${err}` };
      };
      const list = async () => {
        const { code, out, text } = await run('--method', 'tools/list', '--strict');
        if (code !== 0) throw new Error(text);
        return out;
      };
      return {
        signIn: async () => {
          await list();
        },
        async listTools() {
          const { result } = JSON.parse(await list()) as { result: { tools: { name: string }[] } };
          return result.tools.map((tool) => tool.name);
        },
        search: async () =>
          (await run('--method', 'tools/call', '--tool-name', 'search', '--tool-arg', `query=${QUERY}`)).text,
      };
    },
  });
}
