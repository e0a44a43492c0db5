import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeClient, QUERY } from './support/describe-client.ts';
import type { Desk } from './support/desk.ts';
import { chatCompletions } from './support/model/chat-completions.ts';
import { startScriptedModel } from './support/model/scripted-model.ts';

const PREFIX = 'pdpp-';
const TOKENS = '.copilot/mcp-oauth-config';
/** It connects while the model thinks: a call that comes at once finds nothing to call. */
const THINKING_MS = 6_000;

function listTokenFiles(desk: Desk): string[] {
  const folder = join(desk.home, TOKENS);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter((name) => name.endsWith('.tokens.json')).map((name) => join(TOKENS, name));
}

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
        return { shown: `${model.shownResult()}\n${out}`, tools: model.shownTools(PREFIX) };
      } finally {
        model.close();
      }
    };
    return {
      async signIn() {
        await desk.run('copilot', ['mcp', 'add', '--transport', 'http', 'pdpp', server.url]);
        // It signs in by itself when it starts, but only where somebody could see it.
        await desk.converse('copilot', [{ after: () => listTokenFiles(desk).length > 0 }], {
          environment: environment('http://127.0.0.1:9'),
        });
      },
      listTools: async () => (await ask()).tools,
      search: async () => (await ask()).shown,
      // It goes by its own clock: to a refusal before that time it answers by asking the user again.
      age() {
        for (const file of listTokenFiles(desk)) {
          const stored = JSON.parse(readFileSync(join(desk.home, file), 'utf8'));
          desk.write(file, { ...stored, expiresAt: Math.floor(Date.now() / 1_000) - 60 });
        }
      },
    };
  },
});
