import { z } from 'zod';
import { AppError } from '../errors.ts';
import type { GrantedRead, ReadAnswer, ReadContext } from '../reads/granted-read.ts';
import { argument, hint } from '../text/hint.ts';
import { suggest } from '../text/suggest.ts';

/** A read that apps may ask for. It takes anything and checks what it was sent. */
export interface Tool extends GrantedRead {
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Record<string, unknown>;
}

/** Arguments that clients are known to add on their own, and what an answer says beside the arguments it hands out. */
const NOISE = new Set(['wait_for_previous', 'chars_total']);

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

/** Bounds that descriptions say in words: some clients strip them, and every client pays for them. */
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
    .filter(([name, value]) => !NOISE.has(name) && value !== null)
    .map(
      ([name, value]) => [name, isList(input, name) && typeof value === 'string' ? [value] : value] as const,
    );
  const unknown = entries.find(([name]) => !known.includes(name));
  if (unknown !== undefined) {
    const nearest = suggest(unknown[0], known);
    throw new AppError('unknown_argument', 'Unknown argument.', {
      hint: nearest === undefined ? 'Leave it out.' : `Did you mean ${nearest}?`,
      allowed: known,
    });
  }
  const parsed = input.safeParse(Object.fromEntries(entries), { reportInput: true });
  if (parsed.success) return parsed.data;
  throw describeIssue(parsed.error.issues[0]);
}

/** Where a list is expected, one name alone means a list of it. */
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

/** In what the size of an argument is counted. */
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

/** One name or several: a bare string is what most calls need, a list saves the second call. */
export const namesInput = z.union([z.string(), z.array(z.string()).min(1).max(MAX_NAMES)]);

/** Published as an object; read by parseFilter, which says more precisely than a schema could what is wrong. */
export const filterInput = z.unknown().optional().meta({ type: 'object' });

/** What dates without a zone mean, in every argument of a call, and by which clock its answer shows times. */
export const timeZoneInput = z.string().optional().describe("Default: the owner's.");
