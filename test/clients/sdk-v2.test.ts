import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { describeClient, QUERY } from './support/describe-client.ts';
import { dependencyVersion } from './support/install.ts';
import { createSdkAccess, type SdkAccess } from './support/sdk-provider.ts';

const eras = { 'SDK v2, 2026': { pin: '2026-07-28' }, 'SDK v2, 2025': 'legacy' } as const;

for (const [name, mode] of Object.entries(eras)) {
  describeClient({
    name,
    version: dependencyVersion('@modelcontextprotocol/client'),
    refusal: /Unauthorized/,
    open(server, desk) {
      const client = new Client({ name: 'sdk-v2', version: '1' }, { versionNegotiation: { mode } });
      let access: SdkAccess;
      const createTransport = () =>
        new StreamableHTTPClientTransport(new URL(server.url), {
          authProvider: access.provider as OAuthClientProvider,
        });
      return {
        async signIn() {
          access = await createSdkAccess(desk);
          const transport = createTransport();
          await client.connect(transport).catch(() => {});
          await transport.finishAuth(await access.waitForAnswer());
          await client.connect(createTransport());
        },
        listTools: async () => (await client.listTools()).tools.map((tool) => tool.name),
        search: () =>
          client.callTool({ name: 'search', arguments: { query: QUERY } }).then(JSON.stringify, String),
        close: () => access?.close(),
      };
    },
  });
}
