import { type Catalog, findStream } from '../schema-index/catalog.ts';
import { escapeText } from '../text/escape-text.ts';

/** What a publisher says about a stream. Asked only for streams that a reader has shown. */
export type StreamNames = (
  connectionId: string,
  stream: string,
) => { readonly label: string; readonly detail: string | null; readonly summary: readonly string[] };

export function createStreamNames(catalog: Catalog): StreamNames {
  return (connectionId, name) => {
    const declared = findStream(catalog, connectionId, name)?.declaration;
    const detail = declared?.display?.detail ?? declared?.description;
    return {
      label: escapeText(declared?.display?.label ?? name),
      detail: detail === undefined ? null : escapeText(detail),
      summary: declared?.views?.[0]?.fields ?? [],
    };
  };
}
