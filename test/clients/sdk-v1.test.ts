import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describeClient, QUERY } from './support/describe-client.ts';
import { dependencyVersion } from './support/install.ts';
import { createSdkAccess, type SdkAccess } from './support/sdk-provider.ts';

describeClient({
  name: 'SDK v1',
  version: dependencyVersion('@modelcontextprotocol/sdk'),
  refusal: /Unauthorized/,
  open(server, desk) {
    const client = new Client({ name: 'sdk-v1', version: '1' });
    let access: SdkAccess;
    const connect = async () => {
      const transport = new StreamableHTTPClientTransport(new URL(server.url), {
        authProvider: access.provider,
      });
      await client.connect(transport as Parameters<typeof client.connect>[0]);
    };
    return {
      async signIn() {
        access = await createSdkAccess(desk);
        const transport = new StreamableHTTPClientTransport(new URL(server.url), {
          authProvider: access.provider,
        });
        await client.connect(transport as Parameters<typeof client.connect>[0]).catch(() => {});
        await transport.finishAuth((await access.waitForAnswer()).get('code') ?? '');
        await connect();
      },
      listTools: async () => (await client.listTools()).tools.map((tool) => tool.name),
      search: () =>
        client.callTool({ name: 'search', arguments: { query: QUERY } }).then(JSON.stringify, String),
      close: () => access?.close(),
    };
  },
});
