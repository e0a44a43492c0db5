import type { CheckOutcome } from '../../../src/accounts/account-service.ts';
import type { AccountCollection } from '../../../src/accounts/sync-source.ts';
import { Notes, showText } from '../../parts/import-report.tsx';
import { CsrfField, type Frame, formatCount, Page, Problem } from '../../parts/layout.tsx';
import { accountHref, newAccountHref } from '../../parts/links.ts';

/** The result of a connection test: what the owner can choose before the account is saved. */
export interface CheckedAccount {
  readonly kind: string;
  readonly title: string;
  readonly account: string;
  readonly collections: readonly AccountCollection[];
  readonly notes: readonly string[];
  readonly collection_word: string | null;
}

interface ChooseProps {
  readonly view: CheckedAccount;
  /** The tested settings with the password, encrypted. */
  readonly draft: string;
  readonly frame: Frame;
  readonly problem?: string | undefined;
}

/** The last step of a new account: the connection works, and the owner chooses what to sync. */
export function ChooseCollectionsPage({ view, draft, frame, problem }: ChooseProps) {
  return (
    <Page title="Choose what to sync" here="data" width="narrow" {...frame}>
      <p class="small">
        <a href={newAccountHref(view.kind)}>{view.title}</a>
      </p>
      <h1>The connection works</h1>
      <p class="lead">
        Connected to <b class="long">{showText(view.account)}</b>. Nothing has been saved yet.
      </p>
      <Problem text={problem} />
      <form method="post" action="/dashboard/accounts" class="card">
        <CsrfField csrf={frame.csrf} />
        <input type="hidden" name="draft" value={draft} />
        <Notes notes={view.notes} />
        <CollectionChoices
          collections={view.collections}
          word={view.collection_word}
          isChosen={({ isDefault }) => isDefault}
        />
        <p class="muted small">
          pdpp only reads. It changes nothing at your provider. No app can read the records until you give it
          access.
        </p>
        <div class="buttons">
          <button type="submit" class="primary">
            Add account
          </button>
          <a class="button quiet" href="/dashboard/data">
            Cancel
          </a>
        </div>
      </form>
    </Page>
  );
}

/** The folders, calendars or address books of an account. */
export interface CollectionsView {
  readonly account_id: string;
  readonly account: string;
  readonly collection_word: string;
  /** `isDefault` marks those that are synced now. */
  readonly found: CheckOutcome;
}

interface CollectionsProps {
  readonly view: CollectionsView;
  readonly frame: Frame;
  readonly problem?: string | undefined;
}

/** Changes which collections of an account are synced. */
export function CollectionsPage({ view, frame, problem }: CollectionsProps) {
  const { account_id, collection_word: word, found } = view;
  const here = accountHref(account_id);
  return (
    <Page title={`Choose ${word}`} here="data" width="narrow" {...frame}>
      <p class="small">
        <a class="long" href={here}>
          {showText(view.account)}
        </a>
      </p>
      <h1>Choose {word}</h1>
      <Problem text={problem} />
      {found.state === 'failed' ? (
        <>
          <p class="notice bad" role="alert">
            {found.problem.message} {found.problem.fix}
          </p>
          <p>
            <a class="button" href={`${here}/collections`}>
              Try again
            </a>
          </p>
        </>
      ) : (
        <form method="post" action={`${here}/collections`} class="card">
          <CsrfField csrf={frame.csrf} />
          <CollectionChoices
            collections={found.collections}
            word={word}
            isChosen={({ isDefault }) => isDefault}
          />
          <p class="muted small">Records of {word} that you do not choose stay, but are no longer updated.</p>
          <div class="buttons">
            <button type="submit" class="primary">
              Save
            </button>
            <a class="button quiet" href={here}>
              Cancel
            </a>
          </div>
        </form>
      )}
    </Page>
  );
}

function CollectionChoices(props: {
  collections: readonly AccountCollection[];
  word: string | null;
  isChosen: (collection: AccountCollection) => boolean;
}) {
  const { collections, word, isChosen } = props;
  if (collections.length === 0 || word === null) return null;
  return (
    <fieldset class="choices">
      <legend>Choose {word}</legend>
      {collections.length > 1 && (
        <label class="needs-script">
          <input type="checkbox" data-toggle-all="collections" />
          <b>All {word}</b>
        </label>
      )}
      {collections.map((collection) => (
        <label>
          <input
            type="checkbox"
            name="collection"
            value={collection.id}
            checked={isChosen(collection)}
            data-in="collections"
          />
          <span class="long">
            {showText(collection.name)}{' '}
            {collection.items !== undefined && (
              <span class="muted">{formatCount(collection.items, 'item')}</span>
            )}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
