import type { Invocation } from './command-name.ts';
import type { GuideClient, Step } from './connect-guide.ts';
import { checkHostedApp, checkLocalApp, type Place } from './reachability.ts';

export type ClientKey =
  | 'claude-code'
  | 'codex'
  | 'claude-desktop'
  | 'chatgpt'
  | 'claude'
  | 'cursor'
  | 'vs-code'
  | 'other';

const APPROVE = 'Your browser opens this server. Choose what the app can read and approve.';
const TROUBLESHOOTING = 'Troubleshooting';
/** Placeholder for a public address while the server has none. */
export const PLACEHOLDER_ADDRESS = 'https://YOUR-ADDRESS/mcp';
const TUNNELS = 'https://developers.openai.com/api/docs/guides/secure-mcp-tunnels';

/** Lists the apps, most requested first. The menus of hosted apps were checked in November 2026. */
export function listClients(url: string, place: Place, invocation: Invocation): GuideClient[] {
  const here = { runs: 'here', verdict: checkLocalApp(place), otherwise_title: TROUBLESHOOTING } as const;
  const hosted = { ...here, runs: 'hosted', verdict: checkHostedApp(place) } as const;
  // An address that a hosted app cannot reach is not offered to copy.
  const address = hosted.verdict.works === 'no' ? PLACEHOLDER_ADDRESS : url;
  return [
    { ...here, ...describeClaudeCode(url) },
    { ...here, ...describeCodex(url) },
    { ...here, ...describeClaudeDesktop(url, invocation) },
    { ...hosted, ...describeChatGpt(address, place) },
    { ...hosted, ...describeClaude(address) },
    { ...here, ...describeCursor(url) },
    { ...here, ...describeVsCode(url) },
    { ...here, ...describeOthers(url, invocation), otherwise_title: 'Commands for other apps' },
  ];
}

type Described = Omit<GuideClient, 'runs' | 'verdict' | 'otherwise_title'>;

function describeClaudeCode(url: string): Described {
  const add = `claude mcp add --transport http pdpp ${url}`;
  return {
    key: 'claude-code',
    name: 'Claude Code',
    steps: [
      { text: 'Run in a terminal:', copy: add },
      { text: 'Sign in. You can also type `/mcp` in Claude Code.', copy: 'claude mcp login pdpp' },
    ],
    next: APPROVE,
    brief: `\`${add}\`, then \`claude mcp login pdpp\``,
    otherwise: [
      {
        text: 'No browser on that machine? Open the printed link on another device, approve, and paste back the final address.',
        copy: 'claude mcp login pdpp --no-browser',
      },
      {
        text: 'To use pdpp in every folder:',
        copy: `claude mcp add --scope user --transport http pdpp ${url}`,
      },
    ],
    wake: 'Type `/mcp` in Claude Code, choose pdpp and reconnect, or start a new session.',
    docs: 'https://code.claude.com/docs/en/mcp',
  };
}

function describeCodex(url: string): Described {
  const add = `codex mcp add pdpp --url ${url}`;
  return {
    key: 'codex',
    name: 'Codex',
    steps: [{ text: 'Run in a terminal. Codex starts the sign-in:', copy: add }],
    next: APPROVE,
    brief: `\`${add}\``,
    otherwise: [
      {
        text: 'To add it manually, edit `~/.codex/config.toml`:',
        copy: `[mcp_servers.pdpp]\nurl = "${url}"`,
      },
      { text: 'Then sign in. Do the same if Codex asks you to sign in again:', copy: 'codex mcp login pdpp' },
      {
        text: 'No browser on that machine? Open the printed link on another device, approve, and paste back the final address.',
        copy: 'codex mcp login pdpp --no-browser',
      },
    ],
    wake: 'Start a new Codex session. Codex loads servers when a session starts.',
    docs: 'https://developers.openai.com/codex/mcp',
  };
}

/** Claude Desktop reaches URLs from its maker's servers, but starts programs on the local computer. */
function describeClaudeDesktop(url: string, invocation: Invocation): Described {
  const { origin } = new URL(url);
  const config = writeStdioConfig(origin, invocation);
  const connect = `${invocation.command} connect ${origin}`;
  return {
    key: 'claude-desktop',
    name: 'Claude Desktop',
    steps: [
      {
        text: 'With the extension: download `pdpp.mcpb` from the release page of pdpp. In Claude Desktop, open Settings, Extensions, Advanced settings, `Install Extension`. Check the data folder, then approve in the browser.',
      },
      { text: 'Without it: run once in a terminal, then approve in the browser:', copy: connect },
      {
        text: 'In Claude Desktop, open Settings, Developer, `Edit Config`. Add this to `claude_desktop_config.json`:',
        copy: formatJson(config),
      },
    ],
    next: 'Quit Claude Desktop completely and start it again. In a new chat, pdpp is in the list of tools. The Apps page lists this access as pdpp CLI.',
    brief: `\`${connect}\`, then in \`claude_desktop_config.json\`, \`${JSON.stringify(config)}\``,
    otherwise: [
      { text: 'If the file already has `mcpServers`, add only the `pdpp` entry.' },
      {
        text: 'The file is in `~/Library/Application Support/Claude` on macOS and in `%APPDATA%\\Claude` on Windows.',
      },
      {
        text: 'If you approved the extension later than a minute after its start, turn it off and on.',
      },
      {
        text: 'To see errors, run the same command as Claude Desktop. Press Ctrl+C to stop it:',
        copy: `${invocation.command} mcp ${origin}`,
      },
    ],
    wake: 'Quit Claude Desktop, start it again and open a new chat.',
    docs: 'https://modelcontextprotocol.io/docs/develop/connect-local-servers',
  };
}

/** Returns the configuration for apps that start the server as a program. */
function writeStdioConfig(origin: string, { program: [command = '', ...words] }: Invocation) {
  return { mcpServers: { pdpp: { command, args: [...words, 'mcp', origin] } } };
}

function describeChatGpt(url: string, place: Place): Described {
  const tunnel: Step = {
    text: 'No public address? OpenAI’s tunnel-client can connect ChatGPT to a server on this computer.',
    link: { label: 'Secure MCP tunnels', href: TUNNELS },
  };
  return {
    key: 'chatgpt',
    name: 'ChatGPT',
    steps: [
      {
        text: 'In ChatGPT, open Settings, Security and login. Turn on Developer mode.',
        link: { label: 'Open ChatGPT settings', href: 'https://chatgpt.com/#settings/Connectors' },
      },
      { text: 'Under Plugins, choose `+`. Enter this name:', copy: 'pdpp' },
      { text: 'Enter this address and choose OAuth:', copy: url },
    ],
    next: `${APPROVE} In a new chat, turn on pdpp under \`+\`.`,
    brief: `the owner turns on Developer mode in the settings and adds ${url} with OAuth`,
    otherwise: [
      ...(place === 'internet' ? [] : [tunnel]),
      {
        text: 'Older versions have Developer mode under Settings, Connectors, Advanced settings.',
      },
      { text: 'In a company workspace, an administrator must allow Developer mode first.' },
    ],
    wake: 'Open a new chat, turn on pdpp under `+`, and ask again. If its tools are missing, refresh it in the settings.',
    docs: 'https://platform.openai.com/docs/mcp',
  };
}

function describeClaude(url: string): Described {
  const query = `modal=add-custom-connector&connectorName=pdpp&connectorUrl=${encodeURIComponent(url)}`;
  const href = `https://claude.ai/customize/connectors?${query}`;
  return {
    key: 'claude',
    name: 'Claude on the web',
    steps: [
      { text: 'Open Claude and choose `Add`.', link: { label: 'Add to Claude', href } },
      { text: 'Choose `Connect` next to pdpp to sign in.' },
    ],
    next: `${APPROVE} It works in Claude on the web, desktop and phone.`,
    brief: `the owner opens ${href}`,
    otherwise: [
      {
        text: 'To add it manually, open Customize, Connectors, `+` and choose Add custom connector. Enter this name:',
        copy: 'pdpp',
      },
      { text: 'Enter this address:', copy: url },
      { text: 'On a Team or Enterprise plan, an owner must add it first. Then each member connects.' },
    ],
    wake: 'Open a new chat and turn on pdpp under `+`, Connectors. If you see Connect, choose it.',
    docs: 'https://support.claude.com/en/articles/11175166-getting-started-with-custom-connectors-using-remote-mcp',
  };
}

function describeCursor(url: string): Described {
  const query = `name=pdpp&config=${encodeURIComponent(Buffer.from(JSON.stringify({ url })).toString('base64'))}`;
  const file = { mcpServers: { pdpp: { url } } };
  return {
    key: 'cursor',
    name: 'Cursor',
    steps: [
      {
        text: 'Open Cursor and choose `Install`.',
        link: { label: 'Add to Cursor', href: `cursor://anysphere.cursor-deeplink/mcp/install?${query}` },
      },
      { text: 'In Settings, MCP, choose `Connect` (or `Needs login`) next to pdpp.' },
    ],
    next: APPROVE,
    brief: `in \`~/.cursor/mcp.json\`, \`${JSON.stringify(file)}\``,
    otherwise: [
      {
        text: 'If Cursor did not open:',
        link: { label: 'Add through cursor.com', href: `https://cursor.com/en/install-mcp?${query}` },
      },
      { text: 'To add it manually, edit `~/.cursor/mcp.json`:', copy: formatJson(file) },
    ],
    wake: 'Open Settings, MCP, turn pdpp off and on, and start a new chat in agent mode.',
    docs: 'https://cursor.com/docs/context/mcp',
  };
}

function describeVsCode(url: string): Described {
  const server = JSON.stringify({ name: 'pdpp', type: 'http', url });
  const href = `vscode:mcp/install?${encodeURIComponent(server)}`;
  const add = `code --add-mcp '${server}'`;
  return {
    key: 'vs-code',
    name: 'VS Code',
    steps: [
      { text: 'Open VS Code and choose `Install`.', link: { label: 'Add to VS Code', href } },
      { text: 'Allow VS Code to sign in.' },
    ],
    next: `${APPROVE} The tools are available in Copilot’s agent mode.`,
    brief: `\`${add}\``,
    otherwise: [
      {
        text: 'If VS Code did not open:',
        link: {
          label: 'Add through vscode.dev',
          href: `https://vscode.dev/redirect?url=${encodeURIComponent(href)}`,
        },
      },
      { text: 'From a terminal:', copy: add },
      {
        text: 'To add it manually, edit `.vscode/mcp.json`:',
        copy: formatJson({ servers: { pdpp: { type: 'http', url } } }),
      },
    ],
    wake: 'Run `MCP: List Servers`, choose pdpp and start it. Then select its tools in agent mode.',
    docs: 'https://code.visualstudio.com/docs/copilot/customization/mcp-servers',
  };
}

function describeOthers(url: string, invocation: Invocation): Described {
  const { origin } = new URL(url);
  const redirect = 'http://127.0.0.1:41999/callback';
  const mcporter = { mcpServers: { pdpp: { baseUrl: url, auth: 'oauth', oauthRedirectUrl: redirect } } };
  return {
    key: 'other',
    name: 'Other apps',
    steps: [
      { text: 'Apps that support MCP over HTTP with OAuth need only this address:', copy: url },
      {
        text: 'Apps that need a configuration file usually accept this:',
        copy: formatJson({ mcpServers: { pdpp: { type: 'http', url } } }),
      },
      {
        text: `For apps that only start programs (stdio), run \`${invocation.command} connect ${origin}\` once. Then use this configuration:`,
        copy: formatJson(writeStdioConfig(origin, invocation)),
      },
    ],
    next: APPROVE,
    brief: url,
    otherwise: [
      {
        text: 'Gemini CLI. Then type `/mcp auth pdpp`:',
        copy: `gemini mcp add --transport http pdpp ${url}`,
      },
      {
        text: 'Copilot CLI. It signs in when it starts:',
        copy: `copilot mcp add --transport http pdpp ${url}`,
      },
      {
        text: 'opencode, in `opencode.json`. Then run `opencode mcp auth pdpp`:',
        copy: formatJson({ mcp: { pdpp: { type: 'remote', url } } }),
      },
      {
        text: 'mcporter, in `config/mcporter.json`. Then run `mcporter auth pdpp`:',
        copy: formatJson(mcporter),
      },
      {
        text: 'MCP Inspector, with Node 22.19 or later. It prints the sign-in page:',
        copy: `npx @modelcontextprotocol/inspector@latest --cli ${url} --transport http --method tools/list`,
      },
    ],
    wake: 'Restart the app or start a new chat, and check that pdpp is turned on.',
    docs: null,
  };
}

function formatJson(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
