/** The structured content of an `aggregate` result, as far as the chart reads it. */
export interface Result {
  readonly data: Data;
  readonly source: Fields;
  readonly meta: Fields;
}

export interface Data {
  readonly metric: string;
  readonly field: string | undefined;
  readonly groupBy: readonly string[];
  readonly interval: string | undefined;
  readonly groups: readonly Fields[];
  readonly ranges: readonly Fields[];
  readonly other: Fields | undefined;
  /** The data as received, for properties that only some metrics have. */
  readonly all: Fields;
}

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const asFields = (value: unknown): Fields => (isFields(value) ? value : {});
const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
export const asTexts = (value: unknown): string[] => asList(value).filter((one) => typeof one === 'string');

/** Returns the body of a tool result: its structured content or, if the host passes only text, the JSON in the text. */
export function readBody(toolResult: unknown): Fields {
  const { structuredContent, content } = asFields(toolResult);
  if (isFields(structuredContent)) return structuredContent;
  const text = asText(asFields(asList(content)[0]).text);
  try {
    return asFields(text === undefined ? undefined : JSON.parse(text));
  } catch {
    return {};
  }
}

/** Returns the result in a body, or undefined if it is of another form. */
export function readResult({ data, source, meta }: Fields): Result | undefined {
  if (!isFields(data) || typeof data.metric !== 'string') return undefined;
  return {
    data: {
      metric: data.metric,
      field: asText(data.field),
      groupBy: asTexts(data.group_by),
      interval: asText(data.interval),
      groups: asList(data.groups).filter(isFields),
      ranges: asList(data.ranges).filter(isFields),
      other: isFields(data.other) ? data.other : undefined,
      all: data,
    },
    source: asFields(source),
    meta: asFields(meta),
  };
}
