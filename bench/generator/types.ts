import type { SourceDeclaration } from '../../src/schema-index/declaration.ts';

/** One account in the demo: which source it is of, and what the owner calls it. */
export interface GeneratedConnection {
  connection_id: string;
  connector_key: string;
  display_name: string;
  /** How it calls the owner. */
  self?: readonly string[];
}

/** One record as the ingest reads it. */
export interface GeneratedLine {
  key: string;
  data: Record<string, unknown>;
  emitted_at: string;
}

/** Lines of one stream of one connection, oldest first within the stream. */
export interface GeneratedBatch {
  connection_id: string;
  stream: string;
  lines: GeneratedLine[];
}

export interface GeneratorOptions {
  /** About so many records. */
  records: number;
  seed: number;
  /** The moment the demo is told from: nothing in it is later. */
  until: Date;
}

/** One life area of the demo. `generate` is a pure function of its arguments. */
export interface GeneratedSource {
  declaration: SourceDeclaration;
  connections: GeneratedConnection[];
  /** About `records` records over all connections, in batches of at most 1,000. */
  generate(options: GeneratorOptions): Generator<GeneratedBatch>;
}
