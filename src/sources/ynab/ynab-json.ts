import type { ImportItem, InputFile } from '../../import/importer.ts';
import { readJsonElements } from '../../import/read/read-json.ts';
import { makeNote, makeProblem, makeRecord } from '../files/import-items.ts';
import { dropEmpty, firstText, type JsonObject, listOf, objectOf, textOf } from '../values/json.ts';

/** The names behind the ids of a budget, and its currency. */
interface Budget {
  readonly name: string | undefined;
  readonly currency: string | undefined;
  readonly accounts: ReadonlyMap<string, string>;
  readonly payees: ReadonlyMap<string, string>;
  readonly categories: ReadonlyMap<string, { readonly name: string; readonly group: string | undefined }>;
  /** Ids of split transactions. */
  readonly split: ReadonlySet<string>;
}

/** Reads a budget of the YNAB API: `budget`, also inside `data`. Amounts are in thousandths. */
export async function* readYnabJson(file: InputFile): AsyncGenerator<ImportItem> {
  const budget = await readNames(file);
  const common = { budget: budget.name, currency: budget.currency };
  const parents = new Map<string, JsonObject>();
  const lists = ['accounts', 'transactions', 'months', 'scheduled_transactions', 'scheduled_subtransactions'];
  let plannedParts = 0;
  for await (const { list, item, place } of readLists(file, lists)) {
    if (item === undefined) yield place;
    else if (list === 'months')
      for (const data of readMonth(item, budget)) yield makeRecord(file, 'budgets', data);
    else if (list === 'accounts')
      yield makeRecord(file, 'accounts', dropEmpty({ ...readAccount(item), ...common }));
    else if (list === 'scheduled_transactions') yield toPlanned(item, budget, file);
    else if (list === 'scheduled_subtransactions') plannedParts += 1;
    // The parts of a split transaction replace it, so that nothing is counted twice.
    else if (budget.split.has(String(item.id))) parents.set(String(item.id), item);
    else yield toTransaction(item, budget, file);
  }
  if (plannedParts > 0) yield makeNote(file, `${plannedParts} parts of planned transactions skipped`);
  for await (const { item, place } of readLists(file, ['subtransactions'])) {
    if (item === undefined) yield place;
    else
      yield toTransaction({ ...parents.get(String(item.transaction_id)), ...dropEmpty(item) }, budget, file);
  }
}

type Listed =
  | { readonly list: string; readonly item: JsonObject; readonly place?: undefined }
  | { readonly list?: undefined; readonly item?: undefined; readonly place: ImportItem };

/** Reads the objects of some lists, without deleted ones, which the file keeps for other devices. */
async function* readLists(file: InputFile, lists: readonly string[]): AsyncGenerator<Listed> {
  for await (const element of readJsonElements(file, pathsOf(lists))) {
    if (element.kind === 'problem') yield { place: { file, ...element } };
    else {
      const item = objectOf(element.value);
      if (item.deleted !== true) yield { list: String(element.path.at(-2)), item };
    }
  }
}

function toTransaction(item: JsonObject, budget: Budget, file: InputFile): ImportItem {
  const data = dropEmpty({
    ...readTransaction(item, budget),
    budget: budget.name,
    currency: budget.currency,
  });
  if (data.date === undefined) return makeProblem(file, 'has a transaction without a date');
  return makeRecord(file, 'transactions', data);
}

const pathsOf = (places: readonly string[]) =>
  places.flatMap((place) => [`budget.${place}.*`, `data.budget.${place}.*`]);

async function readNames(file: InputFile): Promise<Budget> {
  const lists = new Map<string, JsonObject[]>();
  let [name, currency]: (string | undefined)[] = [];
  const single = ['budget.name', 'data.budget.name', 'budget.currency_format', 'data.budget.currency_format'];
  const places = ['accounts', 'payees', 'category_groups', 'categories', 'subtransactions'];
  for await (const element of readJsonElements(file, [...single, ...pathsOf(places)])) {
    if (element.kind === 'problem') continue;
    const [list, last] = [String(element.path.at(-2)), element.path.at(-1)];
    if (last === 'name') name = textOf(element.value);
    else if (last === 'currency_format') currency = textOf(objectOf(element.value).iso_code);
    else {
      const known = lists.get(list) ?? [];
      known.push(objectOf(element.value));
      lists.set(list, known);
    }
  }
  const namesOf = (list: string) =>
    new Map((lists.get(list) ?? []).map((one) => [String(one.id), textOf(one.name) ?? '']));
  const groups = namesOf('category_groups');
  return {
    name,
    currency,
    accounts: namesOf('accounts'),
    payees: namesOf('payees'),
    categories: new Map(
      (lists.get('categories') ?? []).map((one) => [
        String(one.id),
        { name: textOf(one.name) ?? '', group: groups.get(String(one.category_group_id)) },
      ]),
    ),
    split: new Set((lists.get('subtransactions') ?? []).map((one) => String(one.transaction_id))),
  };
}

function toPlanned(item: JsonObject, budget: Budget, file: InputFile): ImportItem {
  const { date: _, cleared: __, flag: ___, ...data } = readTransaction(item, budget);
  const days = { next_on: dayOf(item.date_next), first_on: dayOf(item.date_first) };
  const more = { frequency: textOf(item.frequency), budget: budget.name, currency: budget.currency };
  return makeRecord(file, 'scheduled_transactions', dropEmpty({ ...data, ...days, ...more }));
}

const dayOf = (value: unknown) => textOf(value)?.slice(0, 10);

function readAccount(item: JsonObject): JsonObject {
  return {
    id: textOf(item.id),
    name: textOf(item.name),
    kind: textOf(item.type),
    balance: amountOf(item.balance),
    cleared_balance: amountOf(item.cleared_balance),
    is_closed: item.closed === true,
    is_on_budget: item.on_budget === true,
    note: textOf(item.note),
  };
}

function readTransaction(item: JsonObject, budget: Budget): JsonObject {
  const category = budget.categories.get(String(item.category_id));
  return {
    id: textOf(item.id),
    account_id: textOf(item.account_id),
    account: budget.accounts.get(String(item.account_id)),
    date: dayOf(item.date),
    payee: textOf(item.payee_name) ?? budget.payees.get(String(item.payee_id)),
    category: textOf(item.category_name) ?? category?.name,
    category_group: category?.group,
    memo: textOf(item.memo),
    amount: amountOf(item.amount),
    cleared: textOf(item.cleared),
    flag: firstText(item.flag_name, item.flag_color),
    split_of: textOf(item.transaction_id),
  };
}

function readMonth(item: JsonObject, { name, currency, categories }: Budget): JsonObject[] {
  const month = textOf(item.month);
  return listOf(item.categories)
    .map(objectOf)
    .filter((one) => one.deleted !== true && one.hidden !== true)
    .map((one) =>
      dropEmpty({
        id: `${month}/${textOf(one.id)}`,
        budget: name,
        month,
        category: textOf(one.name),
        category_group: categories.get(String(one.id))?.group,
        budgeted: amountOf(one.budgeted),
        activity: amountOf(one.activity),
        available: amountOf(one.balance),
        currency,
      }),
    );
}

function amountOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value / 1_000 : undefined;
}
