import type { WriteStore } from '../../src/store/store.ts';

/** A document as the engines beside ours are given it. Its id is the id of the record in our store. */
export interface JudgedDocument {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

export interface Question {
  readonly id: string;
  readonly text: string;
  readonly kind?: string;
  /** Ids of all records that answer it. */
  readonly relevant: ReadonlySet<string>;
}

/** Documents, queries and the relevant documents of each query. */
export interface Collection {
  readonly name: string;
  readonly documents: readonly JudgedDocument[];
  readonly questions: readonly Question[];
  /** Puts the documents into a store of ours, as records. */
  fill(store: WriteStore): Promise<void>;
}

/** A search engine that holds the documents of one collection. */
export interface Engine {
  readonly name: string;
  /** The ids of the first ten hits, for each question, and how long all of them took. */
  ask(questions: readonly string[]): Promise<{ hits: string[][]; milliseconds: number }>;
  close(): Promise<void>;
}

/** The number of hits that are judged. */
export const DEPTH = 10;
