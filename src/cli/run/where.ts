import type { CallTool } from '../../client/mcp-client.ts';
import { readFieldTypes } from '../print/schema-text.ts';
import { type Call, getText, UsageError } from './call.ts';
import { omitUndefined } from './with-server.ts';

const CONDITION = /^\s*([^=<>!]+?)\s*(>=|<=|!=|=|>|<)\s*(.*?)\s*$/s;
const OPERATORS: Record<string, string> = { '>=': 'gte', '<=': 'lte', '>': 'gt', '<': 'lt', '!=': 'ne' };

interface Condition {
  readonly field: string;
  readonly operator: string;
  readonly text: string;
}

/** Builds the filter from --filter or from --where conditions such as `amount<-50`. Conditions on one field are combined. */
export async function readFilter(call: Call, tools: CallTool, streams: readonly string[]): Promise<unknown> {
  const json = getText(call, 'filter');
  const where = (call.values.where ?? []) as string[];
  if (json !== undefined && where.length > 0) throw new UsageError('Use either --filter or --where.');
  if (json !== undefined) return parseJson(json);
  if (where.length === 0) return undefined;
  const conditions = where.map(parseCondition);
  // Whether `5` is a number or a text depends on the field's type.
  const types = conditions.some(({ text }) => guess(text) !== text)
    ? await loadTypes(call, tools, streams)
    : new Map<string, string>();
  return buildFilter(conditions, (field, text) => toValue(text, types.get(field)));
}

function buildFilter(
  conditions: readonly Condition[],
  convert: (field: string, text: string) => unknown,
): Record<string, unknown> {
  const fields = [...new Set(conditions.map(({ field }) => field))];
  return Object.fromEntries(
    fields.map((field) => {
      const own = conditions.filter((condition) => condition.field === field);
      const equal = own.filter(({ operator }) => operator === '=').map(({ text }) => convert(field, text));
      if (equal.length === 0) return [field, compareAll(own, (text) => convert(field, text))];
      if (equal.length < own.length)
        throw new UsageError('--where cannot combine = with other comparisons of the same field.');
      return [field, equal.length === 1 ? equal[0] : equal];
    }),
  );
}

function compareAll(conditions: readonly Condition[], convert: (text: string) => unknown) {
  return Object.fromEntries(conditions.map(({ operator, text }) => [OPERATORS[operator], convert(text)]));
}

function parseCondition(text: string): Condition {
  const match = CONDITION.exec(text);
  if (match === null) throw new UsageError('--where must have the form FIELD=VALUE. Also: > >= < <= !=');
  const [, field, operator, value] = match as unknown as [string, string, string, string];
  return { field, operator, text: value };
}

async function loadTypes(
  call: Call,
  tools: CallTool,
  streams: readonly string[],
): Promise<Map<string, string>> {
  const connection_id = getText(call, 'connection');
  const answers = await Promise.all(
    streams.map((stream) => tools('schema', omitUndefined({ stream, connection_id }))),
  );
  return new Map(answers.flatMap(({ data }) => [...readFieldTypes(data)]));
}

function toValue(text: string, type: string | undefined): unknown {
  if (text === 'null') return null;
  return type === undefined || ['integer', 'number', 'boolean'].includes(type) ? guess(text) : text;
}

function guess(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  const number = Number(text);
  // Numbers that a double cannot hold exactly stay text.
  const isExact = Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));
  return text !== '' && isExact ? number : text;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError('--filter must be a JSON object such as {"status":"open"}.');
  }
}
