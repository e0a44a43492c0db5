import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
export const SERVER_FILE = join(ROOT, 'server.json');

/** What registries and directories show. The owner of the repository is named in one place: `mcpName` of package.json. */
export function readListing() {
  const { name, mcpName, version, description, license } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  ) as Record<string, string>;
  const repository = `https://${mcpName?.replace('io.github.', 'github.com/')}`;
  return {
    name: name as string,
    mcpName: mcpName as string,
    version: version as string,
    description: description as string,
    license: license as string,
    repository,
    privacyPolicy: `${repository}/blob/main/PRIVACY.md`,
  };
}

/** Returns server.json, the entry of the MCP registry. */
export function makeServerEntry() {
  const { name, mcpName, version, description, repository } = readListing();
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: mcpName,
    title: 'pdpp',
    description,
    repository: { url: repository, source: 'github' },
    version,
    packages: [
      {
        registryType: 'npm',
        identifier: name,
        version,
        runtimeHint: 'npx',
        packageArguments: [{ type: 'positional', value: 'serve' }],
        transport: { type: 'streamable-http', url: 'http://127.0.0.1:7733/mcp' },
      },
    ],
  };
}
