import { type JsonObject, textOf } from '../values/json.ts';

/** What a tool was asked to do, in one line: the command, the path, the words that were looked for. */
export function describeUse({
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
