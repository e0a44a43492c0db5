import type { MissingAccess } from '../../src/views/name-apps.ts';
import type { TryPrompt } from '../../src/views/try-prompts.ts';
import { Copy } from './layout.tsx';
import { accessHref } from './links.ts';

/** Next steps after an import. */
export function NextSteps({ missingAccess = [] }: { missingAccess?: readonly MissingAccess[] | undefined }) {
  return (
    <section class="card">
      <h2>Next steps</h2>
      {missingAccess.length > 0 && <p>Apps connected earlier cannot read all of this data yet.</p>}
      <GiveAccessLinks missingAccess={missingAccess} />
      <p class="buttons">
        <a class={missingAccess.length > 0 ? 'button' : 'button primary'} href="/dashboard/connect">
          Connect an AI app
        </a>
        <a class="button" href="/dashboard/data">
          View data
        </a>
      </p>
    </section>
  );
}

/** Links to forms that give an app access to a connection. */
export function GiveAccessLinks({ missingAccess }: { missingAccess: readonly MissingAccess[] }) {
  const isOne = missingAccess.length === 1;
  return (
    <>
      {missingAccess.map(({ connection_id, name, apps }) => (
        <p class="buttons">
          {apps.map(({ grant_id, client }) => (
            <a class="button primary" href={accessHref(grant_id, connection_id)}>
              Give {client} access{isOne ? '' : ` to ${name}`}
            </a>
          ))}
        </p>
      ))}
    </>
  );
}

interface PromptsProps {
  /** The app that can answer the questions. Null if no app is connected. */
  readonly of: { readonly grant_id: string; readonly client: string } | null;
  readonly prompts: readonly TryPrompt[];
}

/** Example questions. For an app, only those that it can answer. */
export function Prompts({ of, prompts }: PromptsProps) {
  if (of === null && prompts.length === 0) return null;
  return (
    <section class="card">
      <h2>{of === null ? 'Example questions' : `Example questions for ${of.client}`}</h2>
      <p class="muted">
        {of === null
          ? 'Based on your data. Some need data that is not preselected.'
          : prompts.length > 0
            ? `${of.client} has the access needed to answer these.`
            : `${of.client} needs more access to answer our example questions.`}{' '}
        {of !== null && <a href={accessHref(of.grant_id)}>Change access</a>}
      </p>
      {prompts.length > 0 && (
        <ul class="prompts">
          {prompts.map(({ prompt, needs }) => (
            <li>
              <Copy text={prompt} />
              {of === null && needs !== null && <p class="muted small">Needs {needs}</p>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
