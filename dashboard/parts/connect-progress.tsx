import type { GuideClient } from '../../src/guide/connect-guide.ts';
import type { AppProgress, ConnectView, Progress } from '../../src/views/connect.ts';
import { InlineCode, Time } from './layout.tsx';
import { appHref } from './links.ts';

/** Apps list tools within seconds; after a minute the page shows help. */
const STUCK_AFTER_MS = 60_000;

/** Progress of connecting an app, with help if it stops. */
export function ConnectProgress({ client, view }: { client: GuideClient; view: ConnectView }) {
  const found = view.progress.filter(({ key }) => key === client.key);
  if (found.length === 0) {
    // The app cannot reach this address.
    if (client.verdict.works === 'no') return null;
    return (
      <>
        <Steps zone={view.time_zone} />
        <p class="muted">
          Waiting for {client.key === 'other' ? 'an app' : client.name}.
          <span class="needs-script"> This page updates automatically.</span>
        </p>
      </>
    );
  }
  return (
    <>
      {found.map((progress) => (
        <>
          {client.key === 'other' && <h3>{progress.client}</h3>}
          <Steps progress={progress} zone={view.time_zone} stuck={isStuck(progress, view)} />
          <ProgressMessage progress={progress} client={client} view={view} />
        </>
      ))}
    </>
  );
}

/** Whether the app has connected with an approval. */
export function hasConnected(view: ConnectView, key: GuideClient['key']): boolean {
  return view.progress.some((one) => one.key === key && one.grant_id !== null && one.state !== 'ended');
}

/** Returns the colour of the mark next to an app name. */
export function findTone(view: ConnectView, key: GuideClient['key']): 'good' | 'warn' | undefined {
  const states = view.progress.filter((one) => one.key === key).map(({ state }) => state);
  if (states.includes('called')) return 'good';
  return states.some((state) => state !== 'denied' && state !== 'ended') ? 'warn' : undefined;
}

function Steps({ progress, zone, stuck = false }: { progress?: Progress; zone: string; stuck?: boolean }) {
  const steps: [string, string | null | undefined][] = [
    ['Access requested', progress?.asked_at ?? progress?.approved_at],
    ['Approved', progress?.approved_at],
    ['Tools listed', progress?.listed_at ?? progress?.called_at],
    ['First read', progress?.called_at],
  ];
  const over = progress?.state === 'denied' || progress?.state === 'ended';
  const next = over ? -1 : steps.findIndex(([, at]) => typeof at !== 'string');
  return (
    <ol class="steps">
      {steps.map(([label, at], i) => {
        const done = typeof at === 'string';
        return (
          <li class={done ? 'done' : i !== next ? undefined : stuck ? 'stuck' : 'now'}>
            <b>{label}</b>
            {done ? <Time at={at} zone={zone} show="second" /> : i === next ? 'waiting' : ''}
          </li>
        );
      })}
    </ol>
  );
}

function ProgressMessage({
  progress,
  client,
  view,
}: {
  progress: AppProgress;
  client: GuideClient;
  view: ConnectView;
}) {
  const stuck = isStuck(progress, view);
  const wake = stuck && <InlineCode text={` ${client.wake}`} />;
  switch (progress.state) {
    case 'asked':
      return <p>The app is asking for access. Approve or deny the request in your browser.</p>;
    case 'denied':
      return <p>You denied access. To try again, sign in from the app.</p>;
    case 'ended':
      return <p>Access has ended. To connect again, sign in from the app.</p>;
    case 'approved':
      return <p>Approved. The app has not listed the tools yet.{wake}</p>;
    case 'listed':
      return (
        <p>
          The app is connected but has not read any data yet.{wake}
          {progress.prompt !== null && ` Try asking: “${progress.prompt}”`}
        </p>
      );
    case 'called':
      return (
        <p>Connected. {progress.grant_id !== null && <a href={appHref(progress.grant_id)}>View reads</a>}</p>
      );
  }
}

function isStuck({ state, since }: Progress, { now }: ConnectView): boolean {
  const waiting = state === 'approved' || state === 'listed';
  return waiting && Date.parse(now) - Date.parse(since) > STUCK_AFTER_MS;
}
