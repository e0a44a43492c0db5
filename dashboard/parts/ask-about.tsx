import type { WiderAccess } from '../../src/views/name-apps.ts';
import type { TryPrompt } from '../../src/views/try-prompts.ts';
import { Copy } from './layout.tsx';
import { accessHref } from './links.ts';

/** What the data is for, and who could be given it. */
export function AskAbout({ wider = [] }: { wider?: readonly WiderAccess[] | undefined }) {
  return (
    <section class="card">
      <h2>Ask about it</h2>
      {wider.length > 0 && <p>Apps that you connected earlier cannot read all of this yet.</p>}
      <AlsoLet wider={wider} />
      <p class="buttons">
        <a class={wider.length > 0 ? 'button' : 'button primary'} href="/dashboard/connect">
          Ask with an AI app
        </a>
        <a class="button" href="/dashboard/data">
          Look into the data
        </a>
      </p>
    </section>
  );
}

/** One link per connection and app. It leads to a form: nothing is given by following it. */
export function AlsoLet({ wider }: { wider: readonly WiderAccess[] }) {
  const isOne = wider.length === 1;
  return (
    <>
      {wider.map(({ connection_id, name, apps }) => (
        <p class="buttons">
          {apps.map(({ grant_id, client }) => (
            <a class="button primary" href={accessHref(grant_id, connection_id)}>
              Also let {client} read {isOne ? 'this' : name}
            </a>
          ))}
        </p>
      ))}
    </>
  );
}

interface PromptsProps {
  /** The app that can answer them; none while no app is connected. */
  readonly of: { readonly grant_id: string; readonly client: string } | null;
  readonly prompts: readonly TryPrompt[];
}

/** Questions to begin with. For an app, only those that it can answer. */
export function Prompts({ of, prompts }: PromptsProps) {
  if (of === null && prompts.length === 0) return null;
  return (
    <section class="card">
      <h2>{of === null ? 'Then ask it something' : `Ask ${of.client} something`}</h2>
      <p class="muted">
        {of === null
          ? 'Made from what is stored here. Some need data that is not preselected.'
          : prompts.length > 0
            ? `${of.client} can answer these with what it may read.`
            : `${of.client} may read too little to answer a question of ours.`}{' '}
        {of !== null && <a href={accessHref(of.grant_id)}>Change what it may read</a>}
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
