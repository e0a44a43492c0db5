import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

export interface PastedAnswer {
  readonly answer: Promise<URLSearchParams>;
  stop(): void;
}

/**
 * For a browser on another computer: it ends on a page it cannot show, whose address holds the answer.
 * Lines that are not that address are asked for again; the end of the input is not an answer.
 */
export function readPastedAnswer(input: Readable, state: string, say: (text: string) => void): PastedAnswer {
  const lines = createInterface({ input });
  const answer = new Promise<URLSearchParams>((resolve) => {
    lines.on('line', (line) => {
      if (line.trim() === '') return;
      const parameters = readParameters(line.trim());
      if (parameters.get('state') === state) resolve(parameters);
      else say('That is not the address of the last page. Paste it whole:');
    });
  });
  return {
    answer,
    stop() {
      lines.close();
      input.pause();
    },
  };
}

function readParameters(text: string): URLSearchParams {
  return URL.canParse(text) ? new URL(text).searchParams : new URLSearchParams(text);
}
