import type { Guide } from '../../../src/guide/connect-guide.ts';
import { Copy, Page } from '../../parts/layout.tsx';

/** What a visitor may know about this server: its address and how apps connect. */
export type PublicGuide = Pick<Guide, 'mcp_url' | 'reachability' | 'clients'>;

const COMMAND_CLIENTS = ['claude-code', 'codex'];

/** The page at `/` for somebody who follows a link to this server. It is the same for every visitor. */
export function LandingPage({ guide }: { guide: PublicGuide }) {
  const { warning } = guide.reachability;
  return (
    <Page title="Personal data server" width="narrow">
      <h1>Personal data server</h1>
      <p class="lead">
        This server keeps one person’s own data. It lets AI apps read the part that its owner approves, and
        nothing else. Apps cannot change anything.
      </p>
      <section class="card">
        <h2>Is this your server?</h2>
        <p>Sign in to add data, choose what each app can read, and see what apps have read.</p>
        <p>
          <a class="button primary" href="/dashboard">
            Sign in
          </a>
        </p>
      </section>
      <section class="card">
        <h2>Connect an AI app</h2>
        <p>Add this address to Claude, ChatGPT, Codex or another app that supports MCP:</p>
        <Copy text={guide.mcp_url} label="Copy address" />
        {warning !== null && (
          <div class="notice warning">
            <p>
              <b>{warning.title}</b> {warning.text}
            </p>
          </div>
        )}
        <ol>
          <li>The app opens this server in a browser.</li>
          <li>The owner signs in and chooses what the app can read.</li>
          <li>The app can read that data until the access ends.</li>
        </ol>
        <details class="more">
          <summary>Commands for Claude Code and Codex</summary>
          {guide.clients
            .filter(({ key }) => COMMAND_CLIENTS.includes(key))
            .map(({ name, steps }) => (
              <>
                <p>{name}:</p>
                {steps.map(({ copy }) => copy !== undefined && <Copy text={copy} />)}
              </>
            ))}
        </details>
        <p>
          <a href="/dashboard/connect">Instructions for every app</a> (sign-in required)
        </p>
      </section>
    </Page>
  );
}

/** The page at `/mcp` for a person. Apps never see it. */
export function EndpointPage({ url }: { url: string }) {
  return (
    <Page title="This address is for AI apps" width="narrow">
      <h1>This address is for AI apps</h1>
      <p class="lead">
        AI apps connect here to read the data that the owner of this server approved. There is nothing to see
        in a browser.
      </p>
      <section class="card">
        <h2>To connect an app</h2>
        <ol>
          <li>Copy this address.</li>
          <li>In the app, add it as an MCP server or connector.</li>
          <li>Sign in when the app opens this server, and choose what it can read.</li>
        </ol>
        <Copy text={url} label="Copy address" />
        <p class="buttons">
          <a class="button primary" href="/dashboard/connect">
            How to connect an app
          </a>
          <a class="button" href="/">
            About this server
          </a>
        </p>
      </section>
    </Page>
  );
}
