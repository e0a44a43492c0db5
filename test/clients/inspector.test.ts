import { createGuide } from '../../src/guide/connect-guide.ts';
import { describeClient, QUERY } from './support/describe-client.ts';

/** The line of the guide, without the program and the method. */
function readGuideArguments(url: string): string[] {
  const others = createGuide(new URL(url).origin).clients.find(({ key }) => key === 'other');
  const copied = others?.otherwise.flatMap(({ copy }) => copy ?? []) ?? [];
  const words = copied.find((line) => line.includes('/inspector'))?.split(' ') ?? [];
  return words.slice(2, words.indexOf('--method'));
}

/** The fixed address of its callback, so one run at a time. */
for (const era of ['legacy', 'modern'] as const) {
  describeClient({
    name: `Inspector CLI, ${era}`,
    package: 'inspector',
    refusal: /Access denied by the owner/,
    open(server, desk) {
      const run = async (...args: string[]) => {
        const address = [...readGuideArguments(server.url), '--protocol-era', era];
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
