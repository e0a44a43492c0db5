import type { CalledAs } from './command-name.ts';
import type { GuideClient, Step } from './connect-guide.ts';
import { judgeHostedApp, judgeLocalApp, type Place } from './reachability.ts';

export type ClientKey =
  | 'claude-code'
  | 'codex'
  | 'claude-desktop'
  | 'chatgpt'
  | 'claude'
  | 'cursor'
  | 'vs-code'
  | 'other';

const APPROVE =
  'Your browser opens this server and asks what the app may read. Approve, and it has five read-only tools.';
const OTHERWISE = 'If this does not work';
/** Stands for the address that apps on the internet will call, while there is none. */
export const ADDRESS_TO_COME = 'https://YOUR-ADDRESS/mcp';
const TUNNELS = 'https://developers.openai.com/api/docs/guides/secure-mcp-tunnels';

/** The apps, most asked for first. Menus of hosted apps move often: what is said of them was so in November 2026. */
export function listClients(url: string, place: Place, called: CalledAs): GuideClient[] {
  const here = { runs: 'here', verdict: judgeLocalApp(place) } as const;
  const hosted = { runs: 'hosted', verdict: judgeHostedApp(place) } as const;
  // An address that leads nowhere from there is not given to copy.
  const address = hosted.verdict.works === 'no' ? ADDRESS_TO_COME : url;
  return [
    { ...here, ...describeClaudeCode(url) },
    { ...here, ...describeCodex(url) },
    { ...here, ...describeClaudeDesktop(url, called) },
    { ...hosted, ...describeChatGpt(address, place) },
    { ...hosted, ...describeClaude(address) },
    { ...here, ...describeCursor(url) },
    { ...here, ...describeVsCode(url) },
    { ...here, ...describeOthers(url, called) },
  ];
}

type Described = Omit<GuideClient, 'runs' | 'verdict'>;

function describeClaudeCode(url: string): Described {
  return {
    key: 'claude-code',
    name: 'Claude Code',
    steps: [
      { text: 'Run in a terminal:', copy: `claude mcp add --transport http pdpp ${url}` },
      {
        text: 'Start `claude`, type `/mcp`, choose pdpp and sign in. Or sign in right away:',
        copy: 'claude mcp login pdpp',
      },
    ],
    next: APPROVE,
    brief: `\`claude mcp add --transport http pdpp ${url}\`, then \`claude mcp login pdpp\``,
    otherwise_title: OTHERWISE,
    otherwise: [
      {
        text: 'No browser on that machine: open the printed link anywhere, approve, and paste back the address you end up at.',
        copy: 'claude mcp login pdpp --no-browser',
      },
      {
        text: 'To have it in every folder, not only in this one:',
        copy: `claude mcp add --scope user --transport http pdpp ${url}`,
      },
    ],
    wake: 'Type `/mcp` in Claude Code, choose pdpp and reconnect, or start a new session.',
    docs: 'https://code.claude.com/docs/en/mcp',
  };
}

function describeCodex(url: string): Described {
  return {
    key: 'codex',
    name: 'Codex',
    steps: [{ text: 'Run in a terminal; it signs in right away:', copy: `codex mcp add pdpp --url ${url}` }],
    next: APPROVE,
    brief: `\`codex mcp add pdpp --url ${url}\``,
    otherwise_title: OTHERWISE,
    otherwise: [
      { text: 'By hand, in `~/.codex/config.toml`:', copy: `[mcp_servers.pdpp]\nurl = "${url}"` },
      { text: 'Then, or whenever it asks to sign in again:', copy: 'codex mcp login pdpp' },
      {
        text: 'No browser on that machine: open the printed link anywhere and paste back the address you end up at.',
        copy: 'codex mcp login pdpp --no-browser',
      },
    ],
    wake: 'Start a new Codex session: it reads its servers only at the beginning.',
    docs: 'https://developers.openai.com/codex/mcp',
  };
}

/** It calls addresses from its maker's servers, but starts programs on the computer it runs on. */
function describeClaudeDesktop(url: string, called: CalledAs): Described {
  const { origin } = new URL(url);
  const config = writeStdioConfig(origin, called);
  return {
    key: 'claude-desktop',
    name: 'Claude Desktop',
    steps: [
      {
        text: 'Claude Desktop starts pdpp as a program. Run once in a terminal, and approve in the browser:',
        copy: `${called.command} connect ${origin}`,
      },
      {
        text: 'In Claude Desktop open Settings, Developer, `Edit Config`. Put this into `claude_desktop_config.json`:',
        copy: formatJson(config),
      },
      { text: 'Quit Claude Desktop, not only its window, and start it again.' },
    ],
    next: 'In a new chat, pdpp is in the list of tools. On the Apps page its access is called pdpp CLI.',
    brief: `\`${called.command} connect ${origin}\`, then in \`claude_desktop_config.json\`, \`${JSON.stringify(config)}\``,
    otherwise_title: OTHERWISE,
    otherwise: [
      { text: 'If the file has an `mcpServers` already, add only the entry `pdpp` to it.' },
      {
        text: 'The file is in `~/Library/Application Support/Claude` on a Mac and in `%APPDATA%\\Claude` on Windows.',
      },
      {
        text: 'To see what pdpp says, run what Claude Desktop runs; it waits for messages until you press Ctrl+C:',
        copy: `${called.command} mcp ${origin}`,
      },
    ],
    wake: 'Quit Claude Desktop, start it again and begin a new chat.',
    docs: 'https://modelcontextprotocol.io/docs/develop/connect-local-servers',
  };
}

/** For an app that reads which programs to start from a file. */
function writeStdioConfig(origin: string, { program: [command = '', ...words] }: CalledAs) {
  return { mcpServers: { pdpp: { command, args: [...words, 'mcp', origin] } } };
}

function describeChatGpt(url: string, place: Place): Described {
  const tunnel: Step = {
    text: 'Without a public address, OpenAI’s tunnel-client can carry ChatGPT to a server on this computer.',
    link: { label: 'Secure MCP tunnels', href: TUNNELS },
  };
  return {
    key: 'chatgpt',
    name: 'ChatGPT',
    steps: [
      {
        text: 'In ChatGPT, open Settings, then Security and login, and turn on Developer mode.',
        link: { label: 'Open ChatGPT settings', href: 'https://chatgpt.com/#settings/Connectors' },
      },
      { text: 'Under Plugins choose `+`. As the name, fill in:', copy: 'pdpp' },
      { text: 'As the address, with OAuth as authentication:', copy: url },
    ],
    next: `${APPROVE} In a new chat, switch pdpp on under \`+\`.`,
    brief: `the owner turns on Developer mode in the settings and adds ${url} with OAuth`,
    otherwise_title: OTHERWISE,
    otherwise: [
      ...(place === 'internet' ? [] : [tunnel]),
      {
        text: 'Menus are as of November 2026. Older versions have it under Settings, Connectors, Advanced settings, Developer mode.',
      },
      { text: 'In a company workspace an administrator must allow Developer mode first.' },
    ],
    wake: 'Open a new chat, switch pdpp on under `+`, and ask again. Refresh it in the settings if its tools are missing.',
    docs: 'https://platform.openai.com/docs/mcp',
  };
}

function describeClaude(url: string): Described {
  const query = `modal=add-custom-connector&connectorName=pdpp&connectorUrl=${encodeURIComponent(url)}`;
  return {
    key: 'claude',
    name: 'Claude on the web',
    steps: [
      {
        text: 'Open Claude with name and address filled in, and choose `Add`.',
        link: { label: 'Add to Claude', href: `https://claude.ai/customize/connectors?${query}` },
      },
      { text: 'Then choose `Connect` beside pdpp: adding alone does not sign in.' },
    ],
    next: `${APPROVE} It works in Claude on the web, desktop and phone.`,
    brief: `the owner opens https://claude.ai/customize/connectors?${query}`,
    otherwise_title: OTHERWISE,
    otherwise: [
      { text: 'By hand: Customize, Connectors, `+`, Add custom connector. The name:', copy: 'pdpp' },
      { text: 'and the address:', copy: url },
      { text: 'In a Team or Enterprise plan an owner must add it first; then each member connects.' },
    ],
    wake: 'Open a new chat and switch pdpp on under `+`, Connectors. If it says Connect there, choose it.',
    docs: 'https://support.claude.com/en/articles/11175166-getting-started-with-custom-connectors-using-remote-mcp',
  };
}

function describeCursor(url: string): Described {
  const config = encodeURIComponent(Buffer.from(JSON.stringify({ url })).toString('base64'));
  return {
    key: 'cursor',
    name: 'Cursor',
    steps: [
      {
        text: 'Open Cursor with everything filled in, and choose `Install`.',
        link: {
          label: 'Add to Cursor',
          href: `cursor://anysphere.cursor-deeplink/mcp/install?name=pdpp&config=${config}`,
        },
      },
      { text: 'Then choose `Connect` (or `Needs login`) beside pdpp in Settings, MCP.' },
    ],
    next: APPROVE,
    brief: `in \`~/.cursor/mcp.json\`, \`${JSON.stringify({ mcpServers: { pdpp: { url } } })}\``,
    otherwise_title: OTHERWISE,
    otherwise: [
      {
        text: 'If nothing opened:',
        link: {
          label: 'Add through cursor.com',
          href: `https://cursor.com/en/install-mcp?name=pdpp&config=${config}`,
        },
      },
      { text: 'By hand, in `~/.cursor/mcp.json`:', copy: formatJson({ mcpServers: { pdpp: { url } } }) },
    ],
    wake: 'Open Settings, MCP, switch pdpp off and on, and begin a new chat in agent mode.',
    docs: 'https://cursor.com/docs/context/mcp',
  };
}

function describeVsCode(url: string): Described {
  const server = { name: 'pdpp', type: 'http', url };
  const link = `vscode:mcp/install?${encodeURIComponent(JSON.stringify(server))}`;
  return {
    key: 'vs-code',
    name: 'VS Code',
    steps: [
      {
        text: 'Open VS Code with everything filled in, and choose `Install`.',
        link: { label: 'Add to VS Code', href: link },
      },
      { text: 'Allow the sign-in that VS Code asks for.' },
    ],
    next: `${APPROVE} The tools are in Copilot’s agent mode.`,
    brief: `\`code --add-mcp '${JSON.stringify(server)}'\``,
    otherwise_title: OTHERWISE,
    otherwise: [
      {
        text: 'If nothing opened:',
        link: {
          label: 'Add through vscode.dev',
          href: `https://vscode.dev/redirect?url=${encodeURIComponent(link)}`,
        },
      },
      { text: 'From a terminal:', copy: `code --add-mcp '${JSON.stringify(server)}'` },
      {
        text: 'By hand, in `.vscode/mcp.json`:',
        copy: formatJson({ servers: { pdpp: { type: 'http', url } } }),
      },
    ],
    wake: 'Run `MCP: List Servers`, choose pdpp and start it, then pick its tools in agent mode.',
    docs: 'https://code.visualstudio.com/docs/copilot/customization/mcp-servers',
  };
}

function describeOthers(url: string, called: CalledAs): Described {
  const origin = new URL(url).origin;
  const redirect = 'http://127.0.0.1:41999/callback';
  const mcporter = { mcpServers: { pdpp: { baseUrl: url, auth: 'oauth', oauthRedirectUrl: redirect } } };
  return {
    key: 'other',
    name: 'Other apps',
    steps: [
      { text: 'Any app that speaks MCP over HTTP takes this address and signs in by OAuth:', copy: url },
      {
        text: 'Where a file is asked for, most read this:',
        copy: formatJson({ mcpServers: { pdpp: { type: 'http', url } } }),
      },
      {
        text: `An app that can only start a program (stdio): run \`${called.command} connect ${origin}\` once in a terminal, then give it this:`,
        copy: formatJson(writeStdioConfig(origin, called)),
      },
    ],
    next: APPROVE,
    brief: url,
    otherwise_title: 'Commands and files for some of them',
    otherwise: [
      {
        text: 'Gemini CLI; then type `/mcp auth pdpp`:',
        copy: `gemini mcp add --transport http pdpp ${url}`,
      },
      {
        text: 'Copilot CLI; it signs in when it starts:',
        copy: `copilot mcp add --transport http pdpp ${url}`,
      },
      {
        text: 'opencode, in `opencode.json`; then run `opencode mcp auth pdpp`:',
        copy: formatJson({ mcp: { pdpp: { type: 'remote', url } } }),
      },
      {
        text: 'mcporter, in `config/mcporter.json`; then run `mcporter auth pdpp`:',
        copy: formatJson(mcporter),
      },
      {
        text: 'MCP Inspector, with Node 22.19 or later; it prints the page to sign in on:',
        copy: `npx @modelcontextprotocol/inspector@latest --cli ${url} --transport http --method tools/list`,
      },
    ],
    wake: 'Restart the app or begin a new chat, and check that pdpp is switched on there.',
    docs: null,
  };
}

function formatJson(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
