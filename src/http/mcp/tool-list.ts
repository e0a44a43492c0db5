import { tools } from '../../tools/index.ts';

const annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

export const serverInfo = (version: string) => ({ name: 'pdpp', title: 'pdpp', version });

/** The address of the page that draws results. Its scheme is that of MCP Apps. */
export const CHART_URI = 'ui://pdpp/chart';

/** The result of tools/list, identical for every caller. Clients without MCP Apps ignore `_meta`. */
export const toolList = tools.map(({ name, title, description, inputSchema }) => ({
  name,
  title,
  description,
  inputSchema: inputSchema as { type: 'object' },
  annotations,
  ...(name === 'aggregate' ? { _meta: { ui: { resourceUri: CHART_URI } } } : {}),
}));
