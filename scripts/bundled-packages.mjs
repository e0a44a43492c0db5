/** Packages of many files of which little is used: scripts/bundle.mjs puts them into the program. */
export const BUNDLED = [
  ...['ajv', 'jose', 'kysely', 'lossless-json', 'minisearch', 'string-width', 'zod'],
  ...['@hono/node-server', '@orama/stemmers', 'hono'],
  ...['@modelcontextprotocol/client', '@modelcontextprotocol/server'],
];

/** Returns the packages that the built program loads from node_modules. */
export function listExternal({ dependencies, optionalDependencies }) {
  return Object.keys({ ...dependencies, ...optionalDependencies }).filter((name) => !BUNDLED.includes(name));
}
