import { z } from 'zod';
import { AppError } from '../errors.ts';
import type { GrantedRead, ReadAnswer, ReadContext } from '../reads/granted-read.ts';
import { argument, hint } from '../text/hint.ts';
import { suggest } from '../text/suggest.ts';

/** A read that apps can call. It validates its input. */
export interface Tool extends GrantedRead {
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Record<string, unknown>;
}

/** Arguments that are ignored. Some clients add the first. Results list the second next to the arguments of `fetch`. */
const IGNORED_ARGUMENTS = new Set(['wait_for_previous', 'chars_total']);

/** Names of other interfaces, by which agents ask for these arguments. */
const SYNONYMS = new Map(
  Object.entries({
    group_by_time: 'interval',
    granularity: 'interval',
    bucket: 'interval',
    order_by: 'sort',
    where: 'filter',
    columns: 'fields',
    select: 'fields',
    page: 'cursor',
    offset: 'cursor',
    top_k: 'limit',
    max_results: 'limit',
    q: 'query',
  }),
);

export function defineTool<Shape extends z.ZodObject>(definition: {
  name: string;
  title: string;
  description: string;
  input: Shape;
  run(input: z.infer<Shape>, context: ReadContext): Promise<ReadAnswer>;
}): Tool {
  const { name, title, description, input, run } = definition;
  return {
    name,
    title,
    description,
    inputSchema: publishSchema(input),
    run: (sent, context) => run(checkInput(input, sent), context),
  };
}

/** Schema keywords that are not published. Descriptions state the limits; as keywords they cost tokens, and some clients drop them. */
const UNPUBLISHED = new Set([
  '$schema',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'propertyNames',
  'additionalProperties',
]);

function publishSchema(input: z.ZodObject): Record<string, unknown> {
  return strip(z.toJSONSchema(input, { io: 'input' })) as Record<string, unknown>;
}

function strip(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([name]) => !UNPUBLISHED.has(name))
      .map(([name, inner]) => [name, Array.isArray(inner) ? inner.map(strip) : strip(inner)]),
  );
}

function checkInput<Shape extends z.ZodObject>(input: Shape, sent: unknown): z.infer<Shape> {
  const known = Object.keys(input.shape);
  if (sent !== undefined && (typeof sent !== 'object' || sent === null || Array.isArray(sent))) {
    throw new AppError('invalid_argument', 'The arguments must be an object.', { allowed: known });
  }
  const entries = Object.entries(sent ?? {})
    .filter(([name, value]) => !IGNORED_ARGUMENTS.has(name) && value !== null)
    .map(
      ([name, value]) => [name, isList(input, name) && typeof value === 'string' ? [value] : value] as const,
    );
  const unknown = entries.find(([name]) => !known.includes(name));
  if (unknown !== undefined) {
    const synonym = SYNONYMS.get(unknown[0]) ?? '';
    const nearest = known.includes(synonym) ? synonym : suggest(unknown[0], known);
    throw new AppError('unknown_argument', 'Unknown argument.', {
      hint: nearest === undefined ? 'Leave it out.' : `Did you mean ${nearest}?`,
      allowed: known,
    });
  }
  const parsed = input.safeParse(Object.fromEntries(entries), { reportInput: true });
  if (parsed.success) return parsed.data;
  throw describeIssue(parsed.error.issues[0]);
}

/** Returns whether an argument is a list. A string is then accepted as a list of one. */
function isList(input: z.ZodObject, name: string): boolean {
  const type = Object.hasOwn(input.shape, name) ? input.shape[name] : undefined;
  return type instanceof z.ZodOptional && type.unwrap() instanceof z.ZodArray;
}

function describeIssue(issue: z.core.$ZodIssue | undefined): AppError {
  const path = issue?.path.filter((part) => typeof part === 'string').join('.');
  return new AppError(
    'invalid_argument',
    hint`${path ? argument(path) : 'An argument'} ${describeProblem(issue)}.`,
  );
}

/** The unit of a size limit, by the type of the argument. */
const UNITS: Record<string, string> = { string: ' characters', array: ' items' };

function describeProblem(issue: z.core.$ZodIssue | undefined): string {
  switch (issue?.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be of type ${issue.expected}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    // `namesInput` is the only union.
    case 'invalid_union':
      return `must be a string or a list of 1 to ${MAX_NAMES} strings`;
    case 'too_small':
      return `must be at least ${issue.minimum}${UNITS[issue.origin] ?? ''}`;
    case 'too_big':
      return `must be at most ${issue.maximum}${UNITS[issue.origin] ?? ''}`;
    default:
      return 'has an invalid format';
  }
}

export const MAX_NAMES = 100;

/** Accepts one name or several. Most calls need one; a list saves further calls. */
export const namesInput = z.union([z.string(), z.array(z.string()).min(1).max(MAX_NAMES)]);

/** Published as an object. `parseFilter` validates it, with more precise errors than a schema has. */
export const filterInput = z.unknown().optional().meta({ type: 'object' });

/** The time zone of dates without one in all arguments, and of the times in the answer. */
export const timeZoneInput = z.string().optional().describe("Default: the owner's.");
