import { type JsonObject, textOf } from '../values/json.ts';

/** Describes a tool call in one line: its command, path or query. */
export function describeToolCall({
  command,
  file_path,
  path,
  pattern,
  query,
  url,
  description,
  prompt,
}: JsonObject): string | undefined {
  return [command, file_path, path, pattern, query, url, description, prompt]
    .map(textOf)
    .find((one) => one !== undefined);
}
