import { expect } from 'vitest';
import { describeClient, QUERY } from './support/describe-client.ts';
import type { Desk } from './support/desk.ts';
import { messages } from './support/model/messages.ts';
import { startScriptedModel } from './support/model/scripted-model.ts';

const PREFIX = 'mcp__pdpp__';

const quiet = { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' };

/** One question to Claude Code, answered by a model that always wants to search. */
async function ask(desk: Desk, environment: Record<string, string> = {}) {
  const model = await startScriptedModel(messages, `${PREFIX}search`, { query: QUERY });
  try {
    const { out, err } = await desk.run(
      'claude',
      ['-p', 'hi', '--allowedTools', `${PREFIX}*`, '--output-format', 'stream-json', '--verbose'],
      {
        environment: {
          ANTHROPIC_BASE_URL: model.origin,
          ANTHROPIC_API_KEY: 'sk-ant-scripted',
          ...quiet,
          // Otherwise a model is told the names alone until it asks for more.
          ENABLE_TOOL_SEARCH: 'false',
          ...environment,
        },
      },
    );
    return { shown: model.shownResult() || `${out}\n${err}`, tools: model.shownTools(PREFIX) };
  } finally {
    model.close();
  }
}

describeClient({
  name: 'Claude Code',
  package: 'claude-code',
  refusal: /"name":"pdpp","status":"needs-auth"/,
  open(server, desk) {
    return {
      async signIn() {
        const claude = async (...args: string[]) => {
          // It signs in only where it sees a terminal.
          const terminal = args[0] === 'login';
          return (await desk.run('claude', ['mcp', ...args], { environment: quiet, terminal })).out;
        };
        await claude('add', '--transport', 'http', 'pdpp', server.url);
        expect(await claude('list')).toContain('Needs authentication');
        expect(await claude('login', 'pdpp')).toContain('Authenticated with "pdpp"');
        expect(await claude('list')).toContain('Connected');
      },
      listTools: async () => (await ask(desk)).tools,
      search: async () => (await ask(desk)).shown,
    };
  },
  extra: {
    'calls a tool in the 2025 protocol too': async ({ desk }) => {
      expect((await ask(desk, { MCP_PROTOCOL_NEGOTIATION: 'legacy' })).shown).toContain('results');
    },
  },
});
