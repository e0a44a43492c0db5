import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeClient, QUERY } from './support/describe-client.ts';
import { chatCompletions } from './support/model/chat-completions.ts';
import { startScriptedModel } from './support/model/scripted-model.ts';

const PREFIX = 'pdpp-';
const TOKENS = '.copilot/mcp-oauth-config';
/** It connects while the model thinks: a call that comes at once finds nothing to call. */
const THINKING_MS = 3_000;

describeClient({
  name: 'Copilot CLI',
  package: 'copilot-cli',
  refusal: /requires authentication/,
  open(server, desk) {
    const environment = (origin: string) => ({
      COPILOT_OFFLINE: 'true',
      COPILOT_PROVIDER_BASE_URL: `${origin}/v1`,
      COPILOT_PROVIDER_API_KEY: 'scripted',
      COPILOT_MODEL: 'gpt-4',
      COPILOT_ALLOW_ALL: 'true',
    });
    const ask = async () => {
      const input = { query: QUERY };
      const model = await startScriptedModel(chatCompletions, `${PREFIX}search`, input, THINKING_MS);
      try {
        const { out } = await desk.run('copilot', ['-p', 'hi'], { environment: environment(model.origin) });
        return { shown: `${model.shownResult()}\n${out}`, tools: model.shownTools() };
      } finally {
        model.close();
      }
    };
    return {
      async signIn() {
        await desk.run('copilot', ['mcp', 'add', '--transport', 'http', 'pdpp', server.url]);
        // It signs in by itself when it starts, but only where somebody could see it.
        const screen = desk.converse('copilot', [{ after: /ZZZ/ }], {
          environment: environment('http://127.0.0.1:9'),
        });
        await screen;
      },
      async listTools() {
        const { tools } = await ask();
        return tools.filter((name) => name.startsWith(PREFIX)).map((name) => name.slice(PREFIX.length));
      },
      search: async () => (await ask()).shown,
      // It goes by its own clock: to a refusal before that time it answers by asking the user again.
      age() {
        for (const name of readdirSync(join(desk.home, TOKENS))) {
          if (!name.endsWith('.tokens.json')) continue;
          const stored = JSON.parse(readFileSync(join(desk.home, TOKENS, name), 'utf8'));
          desk.write(join(TOKENS, name), { ...stored, expiresAt: Math.floor(Date.now() / 1_000) - 60 });
        }
      },
    };
  },
});
