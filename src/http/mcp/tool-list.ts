import { tools } from '../../tools/index.ts';

const annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

export const serverInfo = (version: string) => ({ name: 'pdpp', title: 'pdpp', version });

/** The result of tools/list, identical for every caller. */
export const toolList = tools.map(({ name, title, description, inputSchema }) => ({
  name,
  title,
  description,
  inputSchema: inputSchema as { type: 'object' },
  annotations,
}));
