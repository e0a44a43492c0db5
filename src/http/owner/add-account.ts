import type { AccountRouteDeps, AddStep } from '../../../dashboard/account-routes.tsx';
import type { FieldProblem } from '../../../dashboard/parts/account-fields.tsx';
import type {
  AccountInput,
  AccountKindView,
  AccountService,
  CheckOutcome,
  CheckProblem,
} from '../../accounts/account-service.ts';
import { listPresets } from '../../accounts/presets.ts';
import { AppError } from '../../errors.ts';
import type { Store } from '../../store/store.ts';
import { createAccountDrafts } from './account-drafts.ts';
import { collectionWords, findWrongField, readAccountInput, toValues } from './account-form.ts';

export interface AddAccountDeps {
  readonly accounts: AccountService;
  readonly store: Pick<Store, 'secret'>;
  /** The command that adds a tap on this computer. */
  readonly tapCommand: string;
  readonly now: () => Date;
}

type AddSteps = Pick<AccountRouteDeps, 'newAccount' | 'form' | 'check' | 'add'>;

/** Adds an account in three steps: kind and provider, settings with a connection test, and what to sync. */
export function createAddAccount(deps: AddAccountDeps): AddSteps {
  const { accounts, store, tapCommand, now } = deps;
  const steps = { accounts, drafts: createAccountDrafts(store.secret, now) };
  return {
    async newAccount() {
      const kinds = await accounts.listKinds();
      return {
        kinds: kinds
          .filter(({ isAddedOnPages }) => isAddedOnPages)
          .map(({ kind, title }) => ({
            kind,
            title,
            presets: listPresets(kind).map(({ id, name }) => ({ id, name })),
          })),
        tap_command: tapCommand,
      };
    },
    form: async (kind, preset) => showForm(await findKind(accounts, kind), preset, undefined),
    async check(name, preset, form) {
      const kind = await findKind(accounts, name);
      const input = readAccountInput(kind, form);
      const missing = kind.fields.find(
        ({ name, type, isRequired }) =>
          isRequired && (type === 'secret' ? input.secret : input.settings[name]) === undefined,
      );
      if (missing !== undefined) {
        const problem = { field: missing.name, text: `Enter a value for ${missing.label}.` };
        return showProblem(kind, input, problem, preset);
      }
      return check(steps, kind, input, form.get('csrf') ?? '', preset);
    },
    add: (form) => add(steps, form),
  };
}

interface Steps {
  readonly accounts: AccountService;
  readonly drafts: ReturnType<typeof createAccountDrafts>;
}

async function findKind(accounts: AccountService, name: string): Promise<AccountKindView> {
  const kind = (await accounts.listKinds()).find((one) => one.kind === name);
  if (kind?.isAddedOnPages !== true) throw new AppError('not_found', 'No such kind of account.');
  return kind;
}

/** Tests the connection. Shows the form again with the problem, or what can be synced. */
async function check(
  { accounts, drafts }: Steps,
  kind: AccountKindView,
  input: AccountInput,
  csrf: string,
  preset?: string,
): Promise<AddStep> {
  const outcome = await refuseInForm(kind, () => accounts.check(input));
  if ('text' in outcome) return showProblem(kind, input, outcome, preset);
  return outcome.state === 'failed'
    ? showProblem(kind, input, describeProblem(kind, outcome.problem), preset)
    : { ...showChoice(kind, outcome), draft: drafts.seal(input, csrf) };
}

async function add(steps: Steps, form: URLSearchParams): ReturnType<AddSteps['add']> {
  const { accounts, drafts } = steps;
  const csrf = form.get('csrf') ?? '';
  const input = drafts.open(form.get('draft') ?? '', csrf);
  if (input === undefined) {
    throw new AppError('gone', 'This form has expired. Nothing was saved.', {
      hint: 'Add the account again.',
    });
  }
  const kind = await findKind(accounts, input.kind);
  const collections = form.getAll('collection');
  if (collections.length === 0 && collectionWords[input.kind] !== undefined) {
    const step = await check(steps, kind, input, csrf);
    if (step.state !== 'choose' || step.view.collections.length > 0)
      return { problem: `Choose at least one of the ${collectionWords[input.kind]}.`, ...step };
  }
  const outcome = await refuseInForm(kind, () =>
    accounts.add(collections.length === 0 ? input : { ...input, collections }),
  );
  if ('text' in outcome) return showProblem(kind, input, outcome);
  if (outcome.state === 'failed') return showProblem(kind, input, describeProblem(kind, outcome.problem));
  return { state: 'added', id: outcome.account.account_id };
}

function showForm(kind: AccountKindView, presetId: string | undefined, input: AccountInput | undefined) {
  const preset = listPresets(kind.kind).find(({ id }) => id === presetId);
  return {
    kind,
    preset: preset ?? null,
    values: input === undefined ? (preset?.settings ?? {}) : toValues(kind, input),
    allows_private: input?.allowsPrivate ?? false,
  };
}

function showProblem(kind: AccountKindView, input: AccountInput, problem: FieldProblem, preset?: string) {
  return { state: 'form', view: showForm(kind, preset, input), problem } as const;
}

function showChoice(
  { kind, title }: AccountKindView,
  { account, collections, notes }: Extract<CheckOutcome, { state: 'ok' }>,
) {
  const collection_word = collectionWords[kind] ?? null;
  return { state: 'choose', view: { kind, title, account, collections, notes, collection_word } } as const;
}

function describeProblem(kind: AccountKindView, { code, message, fix }: CheckProblem): FieldProblem {
  return { field: findWrongField(kind.fields, code), text: `${message} ${fix}` };
}

/** Returns the problem to show in a refused form. Rethrows other errors. */
async function refuseInForm<T>(kind: AccountKindView, work: () => Promise<T>): Promise<T | FieldProblem> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || !['invalid_argument', 'conflict'].includes(error.code)) throw error;
    const { field } = error.details;
    const isKnown = kind.fields.some(({ name }) => name === field);
    return {
      field: isKnown ? (field as string) : undefined,
      text: error.hint === undefined ? error.message : `${error.message} ${error.hint}`,
    };
  }
}
