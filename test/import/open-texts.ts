import { onTestFinished } from 'vitest';
import { openInputs } from '../../src/import/open/open-inputs.ts';

/** What is in the inputs: every file by path with its text. Closed when the test is over. */
export async function openTexts(...paths: string[]) {
  const opened = await openInputs(paths);
  onTestFinished(() => opened.close());
  const files: Record<string, string> = {};
  for (const file of opened.files) {
    const parts: Uint8Array[] = [];
    for await (const chunk of file.open()) parts.push(chunk);
    files[file.path] = Buffer.concat(parts).toString();
  }
  return { opened, files };
}
