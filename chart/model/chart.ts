/** The chart of a result. Its texts are formatted; the view only positions them. */
export interface Chart {
  readonly title: string;
  /** The stream and connection. */
  readonly source: string;
  /** The number over all records, where there is one. */
  readonly total?: Total;
  readonly notes: readonly string[];
  readonly table?: Table;
  /** Lines over time, above the same numbers in the table. */
  readonly lines?: Lines;
  /** The tool refused the call. */
  readonly isError?: boolean;
}

export interface Total {
  readonly name: string;
  readonly text: string;
  readonly records?: string;
}

export interface Table {
  /** Headings of the labels, then of the numbers. */
  readonly labelHeads: readonly string[];
  readonly numberHeads: readonly string[];
  readonly sections: readonly Section[];
}

/** Rows under one heading: of one unit, of one range, or all rows. */
export interface Section {
  readonly name?: string;
  readonly detail?: string;
  readonly rows: readonly Row[];
}

export interface Row {
  readonly labels: readonly string[];
  /** The value, and the number of records unless that is the value. */
  readonly numbers: readonly string[];
  readonly bar?: Bar;
}

/** A bar in percent of the width, from the left. */
export interface Bar {
  readonly start: number;
  readonly length: number;
  /** Where zero is. */
  readonly zero: number;
}

export interface Lines {
  /** What a step is: month, day. */
  readonly unit: string;
  /** The instants with records, oldest first. */
  readonly steps: readonly Step[];
  readonly panels: readonly Panel[];
}

export interface Step {
  readonly label: string;
  /** The position in percent of the width. */
  readonly x: number;
}

export interface Panel {
  readonly name?: string;
  /** Connected points in percent from the left and the top. A gap without a value separates them. */
  readonly segments: readonly (readonly Point[])[];
  /** The point and the value of each step, if it has any. */
  readonly values: readonly ({ readonly text: string; readonly y: number } | undefined)[];
  readonly ticks: readonly Tick[];
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Tick {
  readonly text: string;
  readonly y: number;
}
