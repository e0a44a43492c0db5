import type { GuideClient, Step } from '../../src/guide/connect-guide.ts';
import type { ConnectView } from '../../src/views/connect.ts';
import { ConnectProgress, findTone, hasConnected } from '../parts/connect-progress.tsx';
import { Chip, Copy, type Frame, InlineCode, Page } from '../parts/layout.tsx';
import { Prompts } from '../parts/next-steps.tsx';

export interface ConnectProps {
  readonly view: ConnectView;
  readonly frame: Frame;
}

const LIVE = '/dashboard/connect';
const CONNECTED = { works: 'yes', text: 'This app has connected before.' } as const;

/** The server address and instructions for each app. Contains no secrets. */
export function ConnectPage({ view, frame }: ConnectProps) {
  const { warning } = view.reachability;
  return (
    <Page title="Connect an AI app" here="connect" {...frame} zone={view.time_zone}>
      <h1>Connect an AI app</h1>
      <p class="lead">
        Give this address to the app. It asks for access, and you choose in the browser what it can read.
      </p>
      <Copy text={view.mcp_url} label="Copy address" large />
      {warning !== null && (
        <div class="notice warning">
          <p>
            <b>{warning.title}</b> {warning.text}
          </p>
        </div>
      )}
      <div class="tabs" data-tabs="connect">
        <ul class="tab-list">
          {view.clients.map((client) => (
            <li>
              <a href={`#${client.key}`}>
                <Icon kind={client.key === 'other' ? 'plug' : icons[client.key]} />
                {client.name}
                <Dot view={view} client={client} />
              </a>
            </li>
          ))}
        </ul>
        {view.clients.map((client) => (
          <Client client={client} view={view} />
        ))}
      </div>
      <Prompts of={view.prompts_for} prompts={view.prompts} />
      <div class="cards">
        <section class="card">
          <h2>From a terminal</h2>
          <StepText step={view.cli} />
        </section>
        <section class="card">
          <h2>For agents</h2>
          <StepText step={view.agents} />
        </section>
      </div>
    </Page>
  );
}

function Client({ client, view }: { client: GuideClient; view: ConnectView }) {
  const verdict = client.key !== 'other' && hasConnected(view, client.key) ? CONNECTED : client.verdict;
  const fold = `${client.key}-otherwise`;
  return (
    <section id={client.key} class="card" aria-label={client.name}>
      <div class="spread">
        <h2>{client.name}</h2>
        <Chip tone={{ yes: 'good' as const, perhaps: 'warn' as const, no: 'bad' as const }[verdict.works]}>
          {{ yes: 'Reachable', perhaps: 'May not work', no: 'Not reachable' }[verdict.works]}
        </Chip>
      </div>
      <p class={verdict.works === 'yes' ? 'muted' : undefined}>{verdict.text}</p>
      {verdict.works === 'no' && <Recipes recipes={view.recipes} client={client} />}
      <ol class="todo">
        {client.steps.map((step, i) => (
          <li>
            <StepText step={step} main={i === 0} fold={fold} />
          </li>
        ))}
      </ol>
      <p>
        <InlineCode text={client.next} />
      </p>
      {/* Claude Desktop signs in through pdpp connect, so its progress is shown under Other apps. */}
      {client.key !== 'claude-desktop' && (
        <div id={`${client.key}-progress`} class="progress" data-live={LIVE} aria-live="polite">
          <ConnectProgress client={client} view={view} />
        </div>
      )}
      {client.otherwise.length > 0 && (
        <details class="more" id={fold}>
          <summary>{client.otherwise_title}</summary>
          {client.otherwise.map((step) => (
            <StepText step={step} />
          ))}
        </details>
      )}
      {client.docs !== null && (
        <p class="small">
          <a href={client.docs} rel="noreferrer">
            {client.name} documentation
          </a>
        </p>
      )}
    </section>
  );
}

/** Steps to get a public address first. */
function Recipes({ recipes, client }: { recipes: ConnectView['recipes']; client: GuideClient }) {
  return (
    <div class="recipes">
      <h3>First, get an address that {client.name} can reach</h3>
      <p class="muted">
        Choose one. Apps that use the current address must then be added again with the new address.
      </p>
      {recipes.map(({ title, steps }) => (
        <details class="more">
          <summary>{title}</summary>
          {steps.map((step) => (
            <StepText step={step} />
          ))}
        </details>
      ))}
      <h3>Then add the new address</h3>
      <p class="muted">
        Replace YOUR-ADDRESS with the new address. Once pdpp is started with it, this page shows it.
      </p>
    </div>
  );
}

function StepText({ step, main = false, fold }: { step: Step; main?: boolean; fold?: string }) {
  const opensProgram = step.link !== undefined && !/^https?:/.test(step.link.href);
  return (
    <>
      <p>
        <InlineCode text={step.text} />
      </p>
      {step.link !== undefined && (
        <p>
          <a
            class={main ? 'button primary' : 'button'}
            href={step.link.href}
            rel="noreferrer"
            data-deep-link={opensProgram ? fold : undefined}
          >
            {step.link.label}
          </a>
        </p>
      )}
      {step.copy !== undefined && <Copy text={step.copy} />}
    </>
  );
}

/** Marks connected apps. */
function Dot({ view, client }: { view: ConnectView; client: GuideClient }) {
  const tone = findTone(view, client.key);
  return (
    <span id={`${client.key}-dot`} data-live={LIVE}>
      {tone !== undefined && (
        <>
          <i class={`dot ${tone}`} />
          <span class="unseen">{tone === 'good' ? ', connected' : ', not finished'}</span>
        </>
      )}
    </span>
  );
}

const icons = {
  'claude-code': 'terminal',
  codex: 'terminal',
  'claude-desktop': 'chat',
  chatgpt: 'chat',
  claude: 'chat',
  cursor: 'editor',
  'vs-code': 'editor',
} as const;

const shapes = {
  terminal: 'M2 3.5h12v9H2zM4.5 6l2 2-2 2M8 10.5h3.5',
  chat: 'M2.5 3h11v7.5H7L4 13v-2.5H2.5z',
  editor: 'M6 4.5 2.5 8 6 11.5M10 4.5 13.5 8 10 11.5',
  plug: 'M6 2v3.5M10 2v3.5M4 5.5h8V8a4 4 0 0 1-8 0zM8 12v2.5',
};

/** Icon for the kind of program. Logos are not used. */
function Icon({ kind }: { kind: keyof typeof shapes }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={shapes[kind]} />
    </svg>
  );
}
