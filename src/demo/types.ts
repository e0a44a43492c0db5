import type { SourceDeclaration } from '../schema-index/declaration.ts';

/** One account in the demo: which source it is of, and what the owner calls it. */
export interface DemoConnection {
  connection_id: string;
  connector_key: string;
  display_name: string;
  /** How it calls the owner. */
  self?: readonly string[];
}

/** One record as the ingest reads it. */
export interface DemoLine {
  key: string;
  data: Record<string, unknown>;
  emitted_at: string;
}

/** Lines of one stream of one connection, oldest first within the stream. */
export interface DemoBatch {
  connection_id: string;
  stream: string;
  lines: DemoLine[];
}

export interface DemoOptions {
  /** About so many records. */
  records: number;
  seed: number;
  /** The moment the demo is told from: nothing in it is later. */
  until: Date;
}

/** One life area of the demo. `generate` is a pure function of its arguments. */
export interface DemoSource {
  declaration: SourceDeclaration;
  connections: DemoConnection[];
  /** About `records` records over all connections, in batches of at most 1,000. */
  generate(options: DemoOptions): Generator<DemoBatch>;
}
