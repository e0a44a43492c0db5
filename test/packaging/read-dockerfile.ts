import { readFileSync } from 'node:fs';

export interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** The instructions of each stage of the Dockerfile, and the variables that the image sets. */
export interface Dockerfile {
  readonly stages: readonly (readonly Instruction[])[];
  readonly environment: Readonly<Record<string, string>>;
}

/** Reads the Dockerfile: one instruction a line, or several lines that end with a backslash. */
export function readDockerfile(): Dockerfile {
  const text = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8');
  const instructions = text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line): Instruction => {
      const [, name = '', rest = ''] = /^([A-Z]+)\s+(.+)$/.exec(line) ?? [];
      if (name === '') throw new Error(`not an instruction: ${line}`);
      return { name, text: rest };
    });
  const stages: Instruction[][] = [];
  for (const instruction of instructions) {
    if (instruction.name === 'FROM') stages.push([]);
    stages.at(-1)?.push(instruction);
  }
  const variables = (stages.at(-1) ?? [])
    .filter(({ name }) => name === 'ENV')
    .flatMap(({ text }) => text.split(' ').map((one) => one.split(/=(.*)/s).slice(0, 2)));
  return { stages, environment: Object.fromEntries(variables) };
}
