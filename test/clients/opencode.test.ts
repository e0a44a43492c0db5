import { describeClient, QUERY } from './support/describe-client.ts';
import { messages } from './support/model/messages.ts';
import { startScriptedModel } from './support/model/scripted-model.ts';

const PREFIX = 'pdpp_';

describeClient({
  name: 'opencode',
  package: 'opencode',
  refusal: /needs authentication/,
  open(server, desk) {
    const settings = { mcp: { pdpp: { type: 'remote', url: server.url } }, autoupdate: false };
    const ask = async () => {
      const model = await startScriptedModel(messages, `${PREFIX}search`, { query: QUERY });
      try {
        const options = { baseURL: `${model.origin}/v1`, apiKey: 'scripted' };
        const name = 'anthropic/claude-sonnet-4-5';
        desk.write('opencode.json', {
          ...settings,
          model: name,
          small_model: name,
          provider: { anthropic: { options } },
        });
        await desk.run('opencode', ['run', 'hi']);
        return { result: model.shownResult(), tools: model.shownTools(PREFIX) };
      } finally {
        model.close();
      }
    };
    return {
      async signIn() {
        desk.write('opencode.json', settings);
        const { out } = await desk.run('opencode', ['mcp', 'auth', 'pdpp'], { terminal: true });
        if (!out.includes('Authentication successful')) throw new Error(out);
      },
      listTools: async () => (await ask()).tools,
      // A tool that may not be called is not shown to the model; the list of servers says why.
      search: async () => (await ask()).result || JSON.stringify(await desk.run('opencode', ['mcp', 'list'])),
    };
  },
});
