/** The package export `pdpp/importer`: everything that an importer outside this repository needs. */
import type { Importer } from './import/importer.ts';

export { hashKey } from './import/hash-key.ts';
export type {
  ExportGuide,
  Identity,
  Importer,
  ImportItem,
  ImportOptions,
  InputFile,
  Recognised,
  Totals,
} from './import/importer.ts';
export { DayOrder } from './import/read/day-order.ts';
export { decodeText, peekText } from './import/read/decode-text.ts';
export { readJson, readJsonElements } from './import/read/read-json.ts';
export { readTextLines } from './import/read/read-lines.ts';
export { openTable } from './import/read/read-table.ts';
export { readDay, readEpoch, readTime } from './import/read/read-time.ts';
export type { SourceDeclaration, StreamDeclaration } from './schema-index/declaration.ts';
export { declareSource, declareStream, hasMany, hasOne, oneOf, sensitive } from './sources/declare.ts';

/** Returns the importer unchanged and gives it its types. `pdpp import --importer FILE` runs the default export of FILE. */
export function defineImporter(importer: Importer): Importer {
  return importer;
}
