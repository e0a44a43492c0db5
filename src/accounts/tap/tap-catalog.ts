import { z } from 'zod';
import type { AccountCollection } from '../sync-source.ts';
import { runTap, type TapRun } from './run-tap.ts';

/** Unknown members are kept, because the tap gets the catalog back. */
const catalogShape = z.looseObject({
  streams: z
    .array(
      z.looseObject({
        tap_stream_id: z.string().optional(),
        stream: z.string().optional(),
        schema: z.looseObject({}).optional(),
        metadata: z
          .array(z.looseObject({ breadcrumb: z.array(z.string()), metadata: z.looseObject({}) }))
          .optional(),
      }),
    )
    .max(2_000),
});

export type TapCatalog = z.infer<typeof catalogShape>;
type CatalogStream = TapCatalog['streams'][number];

const MAX_CATALOG_CHARACTERS = 64 * 2 ** 20;

/** Asks a tap for its streams. Returns undefined if it does not support discovery, like many simple taps. */
export async function discover(run: TapRun): Promise<TapCatalog | undefined> {
  const lines: string[] = [];
  let characters = 0;
  try {
    for await (const line of runTap({ ...run, args: [...run.args, '--discover'] })) {
      characters += line.length;
      if (characters > MAX_CATALOG_CHARACTERS) return undefined;
      lines.push(line);
    }
    return catalogShape.safeParse(JSON.parse(lines.join('\n'))).data;
  } catch {
    return undefined;
  }
}

const idOf = ({ tap_stream_id, stream }: CatalogStream) => tap_stream_id ?? stream ?? '';

export function listStreams(catalog: TapCatalog | undefined): AccountCollection[] {
  const streams = catalog?.streams ?? [];
  return streams.map((one) => ({ id: idOf(one), name: one.stream ?? idOf(one), isDefault: true }));
}

/** Returns the catalog with the chosen streams selected, and all of their columns. */
export function selectStreams(catalog: TapCatalog, chosen: readonly string[] | undefined): TapCatalog {
  return {
    ...catalog,
    streams: catalog.streams.map((stream) => {
      const selected = chosen?.includes(idOf(stream)) ?? true;
      const entries = (stream.metadata ?? []).filter(({ breadcrumb }) => breadcrumb.length > 0);
      const own = stream.metadata?.find(({ breadcrumb }) => breadcrumb.length === 0);
      return {
        ...stream,
        // Older taps read `selected` from the schema.
        schema: { ...stream.schema, selected },
        metadata: [
          { breadcrumb: [], metadata: { ...own?.metadata, selected } },
          ...entries.map(({ metadata, ...entry }) => ({
            ...entry,
            metadata: metadata.inclusion === 'unsupported' ? metadata : { ...metadata, selected },
          })),
        ],
      };
    }),
  };
}
