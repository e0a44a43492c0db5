import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeClient, QUERY } from './support/describe-client.ts';
import { generateContent } from './support/model/generate-content.ts';
import { startScriptedModel } from './support/model/scripted-model.ts';

const PREFIX = 'mcp_pdpp_';
const TOKENS = '.gemini/mcp-oauth-tokens.json';

describeClient({
  name: 'Gemini CLI',
  package: 'gemini-cli',
  refusal: /Disconnected/,
  open(server, desk) {
    const ask = async () => {
      const model = await startScriptedModel(generateContent, `${PREFIX}search`, { query: QUERY });
      try {
        // Named, because otherwise a model is asked which model to ask.
        await desk.run('gemini', ['-m', 'gemini-2.5-flash', '-y', '-p', 'hi'], {
          environment: { GEMINI_API_KEY: 'scripted', GOOGLE_GEMINI_BASE_URL: model.origin },
        });
        return { result: model.shownResult(), tools: model.shownTools(PREFIX) };
      } finally {
        model.close();
      }
    };
    return {
      async signIn() {
        desk.write('.gemini/settings.json', {
          security: { folderTrust: { enabled: false }, auth: { selectedType: 'gemini-api-key' } },
          general: { enableAutoUpdate: false },
          privacy: { usageStatisticsEnabled: false },
        });
        await desk.run('gemini', [
          'mcp',
          'add',
          '--scope',
          'user',
          '--transport',
          'http',
          'pdpp',
          server.url,
        ]);
        await desk.converse(
          'gemini',
          [
            { after: /Type your message/, type: '/mcp auth pdpp' },
            { after: /Do you want to continue/, type: '' },
            { after: /Successfully authenticated and reloaded tools/ },
          ],
          { environment: { GEMINI_API_KEY: 'scripted', GOOGLE_GEMINI_BASE_URL: 'http://127.0.0.1:9' } },
        );
      },
      listTools: async () => (await ask()).tools,
      search: async () => (await ask()).result || JSON.stringify(await desk.run('gemini', ['mcp', 'list'])),
      // It goes by its own clock: to a refusal before that time it answers by asking the user again.
      age() {
        const stored = JSON.parse(readFileSync(join(desk.home, TOKENS), 'utf8'));
        for (const { token } of stored) token.expiresAt = Date.now() - 1_000;
        desk.write(TOKENS, stored);
      },
    };
  },
});
