import { z } from 'zod';
import { replaceInvisible } from '../text/unseen.ts';

/** Names are part of ids, URLs and prompts, so they are short and plain. */
export const plainName = z.string().regex(/^[a-z][a-z0-9_-]{0,63}$/, 'must be a-z, 0-9, _ or -, at most 64');

const uri = z.string().refine((value) => URL.canParse(value), 'must be an absolute URI');
const text = z.string().min(1).max(2_000);

const fieldName = z
  .string()
  .regex(/^[\p{L}_][\p{L}\p{N}_.@ -]{0,63}$/u, 'must be a plain field name')
  // Some letters are invisible.
  .refine((name) => replaceInvisible(name, () => '') === name, 'must be a plain field name');
const fieldNames = z.array(fieldName).min(1).max(200);

const rangeOperators = z.array(z.enum(['gt', 'gte', 'lt', 'lte'])).min(1);

const relationship = z.strictObject({
  name: plainName,
  stream: plainName,
  /** has_many: the field of the other stream that contains this record's key. has_one: a field of this stream. */
  foreign_key: fieldName,
  cardinality: z.enum(['has_many', 'has_one']),
});

const query = z.strictObject({
  range_filters: z.record(fieldName, rangeOperators).optional(),
  expand: z
    .array(
      z.strictObject({
        name: plainName,
        default_limit: z.int().min(1).optional(),
        max_limit: z.int().min(1).optional(),
      }),
    )
    .min(1)
    .optional(),
  search: z
    .strictObject({ lexical_fields: fieldNames.optional(), semantic_fields: fieldNames.optional() })
    .optional(),
  aggregations: z
    .strictObject({
      count: z.literal(true).optional(),
      count_distinct: fieldNames.optional(),
      sum: fieldNames.optional(),
      min: fieldNames.optional(),
      max: fieldNames.optional(),
      group_by: fieldNames.optional(),
      group_by_time: fieldNames.optional(),
    })
    .optional(),
});

const stream = z.strictObject({
  name: plainName,
  description: text.optional(),
  display: z.strictObject({ label: text.optional(), detail: text.optional() }).optional(),
  semantics: z.enum(['append_only', 'mutable_state']),
  schema: z.record(z.string(), z.unknown()),
  primary_key: fieldNames,
  cursor_field: fieldName.optional(),
  consent_time_field: fieldName.optional(),
  selection: z.strictObject({ fields: z.boolean(), resources: z.boolean() }),
  views: z
    .array(z.strictObject({ id: z.string().min(1).max(64), label: text, fields: fieldNames }))
    .optional(),
  relationships: z.array(relationship).optional(),
  query: query.optional(),
});

const preset = z.strictObject({
  id: z.string().min(1).max(64),
  label: text,
  streams: z
    .array(
      z.strictObject({
        name: plainName,
        fields: fieldNames.optional(),
        view: z.string().min(1).max(64).optional(),
      }),
    )
    .min(1),
});

/** The shape of a source declaration, PDPP v0.1. check-declaration.ts checks that its parts are consistent. */
export const sourceDeclarationShape = z.strictObject({
  protocol_version: z.literal('0.1.0'),
  /** Not in PDPP: the short name of the source. By default, the last part of source.id. */
  connector_key: plainName.optional(),
  source: z.strictObject({ kind: z.enum(['connector', 'provider_native']), id: uri }),
  declaration_version: z.string().min(1).max(200),
  publisher: z.strictObject({ id: uri }),
  display: z.strictObject({ name: text }),
  selection_presets: z.array(preset).optional(),
  streams: z.array(stream).min(1).max(200),
  extensions: z.record(uri, z.unknown()).optional(),
});

export type SourceDeclaration = z.infer<typeof sourceDeclarationShape>;
export type StreamDeclaration = SourceDeclaration['streams'][number];
export type Relationship = z.infer<typeof relationship>;
