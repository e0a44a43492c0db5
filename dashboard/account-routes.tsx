import type { Context, Hono } from 'hono';
import type { CheckProblem } from '../src/accounts/account-service.ts';
import { addPage, getPathParameter } from './add-page.ts';
import { AccountPage, type AccountPageView } from './pages/accounts/account.tsx';
import {
  type CheckedAccount,
  ChooseCollectionsPage,
  CollectionsPage,
  type CollectionsView,
} from './pages/accounts/collections.tsx';
import {
  AccountFormPage,
  type AccountFormView,
  NewAccountPage,
  type NewAccountView,
} from './pages/accounts/new-account.tsx';
import type { FieldProblem } from './parts/account-fields.tsx';
import type { Frame } from './parts/layout.tsx';
import { accountHref, NEW_ACCOUNT, withQuery } from './parts/links.ts';

/** The next page while an account is added: the form again, or the choice of collections. */
export type AddStep =
  | { readonly state: 'form'; readonly view: AccountFormView; readonly problem: FieldProblem }
  | {
      readonly state: 'choose';
      readonly view: CheckedAccount;
      readonly draft: string;
      readonly problem?: string | undefined;
    };

export interface AccountRouteDeps {
  readonly newAccount: () => Promise<NewAccountView>;
  readonly form: (kind: string, preset: string | undefined) => Promise<AccountFormView>;
  /** Tests the connection with the settings of the form. Saves nothing. */
  readonly check: (kind: string, preset: string | undefined, form: URLSearchParams) => Promise<AddStep>;
  readonly add: (
    form: URLSearchParams,
  ) => Promise<AddStep | { readonly state: 'added'; readonly id: string }>;
  readonly account: (id: string) => Promise<AccountPageView>;
  readonly collections: (id: string) => Promise<CollectionsView>;
  /** Returns a problem if nothing was saved. */
  readonly saveCollections: (id: string, form: URLSearchParams) => Promise<string | undefined>;
  readonly changePassword: (id: string, form: URLSearchParams) => Promise<CheckProblem | undefined>;
  readonly changeInterval: (id: string, form: URLSearchParams) => Promise<void>;
  readonly changeKeepFiles: (id: string, form: URLSearchParams) => Promise<void>;
  readonly sync: (id: string) => Promise<void>;
  readonly pause: (id: string) => Promise<void>;
  readonly resume: (id: string) => Promise<void>;
  /** Removes an account, and returns the page that follows. */
  readonly remove: (id: string, form: URLSearchParams) => Promise<string>;
  readonly frame: (c: Context) => Frame | Promise<Frame>;
  readonly readForm: (c: Context, maxBytes?: number) => Promise<URLSearchParams>;
}

const ACCOUNT = '/dashboard/accounts/:id';
/** A mail account may have thousands of folders, each with its name. */
const MAX_CHOICE_BYTES = 512 * 1024;

/** /dashboard/accounts. The caller must check that the owner is signed in. */
export function addAccountRoutes(app: Hono, deps: AccountRouteDeps): void {
  addNewAccountRoutes(app, deps);
  const { frame, readForm } = deps;
  const show = async (c: Context, view: AccountPageView, problem?: CheckProblem) =>
    c.html(
      <AccountPage view={view} frame={await frame(c)} done={c.req.query('done')} problem={problem} />,
      problem === undefined ? 200 : 400,
    );
  addPage(
    app,
    ACCOUNT,
    (c) => deps.account(getPathParameter(c, 'id')),
    (view, c) => show(c, view),
  );
  const finish = (c: Context, done: string) =>
    c.redirect(withQuery(accountHref(getPathParameter(c, 'id')), { done }), 303);
  const actions = { sync: deps.sync, pause: deps.pause, resume: deps.resume };
  for (const [name, act] of Object.entries(actions)) {
    app.post(`${ACCOUNT}/${name}`, async (c) => {
      await readForm(c);
      await act(getPathParameter(c, 'id'));
      return finish(c, name);
    });
  }
  const settings = { interval: deps.changeInterval, 'keep-files': deps.changeKeepFiles };
  for (const [name, save] of Object.entries(settings)) {
    app.post(`${ACCOUNT}/${name}`, async (c) => {
      await save(getPathParameter(c, 'id'), await readForm(c));
      return finish(c, name);
    });
  }
  app.post(`${ACCOUNT}/password`, async (c) => {
    const id = getPathParameter(c, 'id');
    const problem = await deps.changePassword(id, await readForm(c));
    return problem === undefined ? finish(c, 'password') : show(c, await deps.account(id), problem);
  });
  app.post(`${ACCOUNT}/remove`, async (c) =>
    c.redirect(await deps.remove(getPathParameter(c, 'id'), await readForm(c)), 303),
  );
  addPage(
    app,
    `${ACCOUNT}/collections`,
    (c) => deps.collections(getPathParameter(c, 'id')),
    async (view, c) => c.html(<CollectionsPage view={view} frame={await frame(c)} />),
  );
  app.post(`${ACCOUNT}/collections`, async (c) => {
    const id = getPathParameter(c, 'id');
    const problem = await deps.saveCollections(id, await readForm(c, MAX_CHOICE_BYTES));
    if (problem === undefined) return finish(c, 'collections');
    const view = await deps.collections(id);
    return c.html(<CollectionsPage view={view} frame={await frame(c)} problem={problem} />, 400);
  });
}

/** The steps that add an account. Their paths come before those with an id. */
function addNewAccountRoutes(app: Hono, deps: AccountRouteDeps): void {
  const { frame, readForm } = deps;
  const showStep = async (c: Context, step: AddStep) => {
    if (step.state === 'form')
      return c.html(<AccountFormPage view={step.view} frame={await frame(c)} problem={step.problem} />, 400);
    const { view, draft, problem } = step;
    return c.html(
      <ChooseCollectionsPage view={view} draft={draft} frame={await frame(c)} problem={problem} />,
      problem === undefined ? 200 : 400,
    );
  };
  addPage(app, NEW_ACCOUNT, deps.newAccount, async (view, c) =>
    c.html(<NewAccountPage view={view} frame={await frame(c)} />),
  );
  addPage(
    app,
    `${NEW_ACCOUNT}/:kind`,
    (c) => deps.form(getPathParameter(c, 'kind'), c.req.query('preset')),
    async (view, c) => c.html(<AccountFormPage view={view} frame={await frame(c)} />),
  );
  app.post(`${NEW_ACCOUNT}/:kind`, async (c) => {
    const form = await readForm(c);
    return showStep(c, await deps.check(getPathParameter(c, 'kind'), c.req.query('preset'), form));
  });
  app.post('/dashboard/accounts', async (c) => {
    const step = await deps.add(await readForm(c, MAX_CHOICE_BYTES));
    return step.state === 'added'
      ? c.redirect(withQuery(accountHref(step.id), { done: 'added' }), 303)
      : showStep(c, step);
  });
}
