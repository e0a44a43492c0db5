import { z } from 'zod';
import { errors } from './library.ts';

export const DETAILS_TYPE = 'https://pdpp.dev/data-access';

const name = z.string().min(1).max(200);
const instant = z.iso.datetime({ offset: true });

const requestedStream = z.strictObject({
  /** `*` asks for every stream of the source. */
  name,
  fields: z.array(name).min(1).max(200).optional(),
  view: name.optional(),
  time_range: z.strictObject({ since: instant.optional(), until: instant.optional() }).optional(),
  resources: z.array(z.string().min(1).max(1_000)).min(1).max(1_000).optional(),
  /** Connections, when a source has several. */
  instance_ids: z.array(name).min(1).max(100).optional(),
});

const detail = z
  .strictObject({
    type: z.literal(DETAILS_TYPE),
    source: z.strictObject({ id: z.string().min(1).max(2_000), kind: z.string().max(50).optional() }),
    purpose_code: z.string().max(500).optional(),
    purpose_description: z.string().max(500).optional(),
    access_mode: z.enum(['continuous', 'single_use']).optional(),
    streams: z.array(requestedStream).min(1).max(200).optional(),
    preset: name.optional(),
    locations: z.array(z.string()).optional(),
  })
  .refine((one) => (one.streams === undefined) !== (one.preset === undefined));

export type RequestedDetail = z.infer<typeof detail>;
export type RequestedStream = z.infer<typeof requestedStream>;

/** One requested right, or RFC 9396's refusal. Whether its names exist is decided against the catalog. */
export function checkDetail(value: unknown): RequestedDetail {
  const parsed = detail.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new errors.InvalidAuthorizationDetails('the authorization details do not have the expected shape');
}

export function parseDetails(text: string | undefined): RequestedDetail[] | undefined {
  if (text === undefined) return undefined;
  const details = z.array(z.unknown()).parse(JSON.parse(text)).map(checkDetail);
  // An empty list asks for nothing in particular, as no list does.
  return details.length === 0 ? undefined : details;
}
