import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
} from '@modelcontextprotocol/server';
import type { Caller } from '../calls/caller.ts';
import type { Answer, RunTool } from '../calls/run-tool.ts';
import { completeAddress } from '../resources/complete-address.ts';
import { listResources } from '../resources/list-resources.ts';
import { readResource } from '../resources/read-resource.ts';
import { ADDRESS_PARTS, addressTemplate, readAddress } from '../resources/record-address.ts';

const LONGEST_URI = 8_000;

/** Records for people who pick one in their client; apps read them as the tools do, through the same runner. */
export function addResources(server: Server, runTool: RunTool, caller: Caller, origin: string): void {
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [
      {
        uriTemplate: addressTemplate(origin),
        name: 'record',
        title: 'A record',
        description: 'One record of a connection, as its page shows it.',
        mimeType: 'text/markdown',
      },
    ],
  }));
  server.setRequestHandler('resources/list', async (_, { mcpReq }) =>
    take(await runTool(listResources, undefined, caller, 'mcp', mcpReq.signal)),
  );
  server.setRequestHandler('resources/read', async ({ params: { uri } }, { mcpReq }) => {
    const path = uri.length > LONGEST_URI ? undefined : readAddress(uri, origin);
    if (path === undefined) throw noResource(uri);
    const answer = await runTool(readResource, { path }, caller, 'mcp', mcpReq.signal);
    if (answer.isError && answer.body.error.code === 'not_found') throw noResource(uri);
    return { contents: [{ uri, mimeType: 'text/markdown', text: take(answer).text }] };
  });
  server.setRequestHandler('completion/complete', async ({ params }, { mcpReq }) => {
    const { ref, argument, context } = params;
    const part = ADDRESS_PARTS.find((one) => one === argument.name);
    if (part === undefined || ref.type !== 'ref/resource' || ref.uri !== addressTemplate(origin))
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is nothing to complete of that name.');
    const completing = { part, value: argument.value, chosen: context?.arguments ?? {} };
    const { values, hasMore } = take(
      await runTool(completeAddress, completing, caller, 'mcp', mcpReq.signal),
    );
    return { completion: { values: [...values], hasMore } };
  });
}

/** Absent and not granted look the same. What was sent is repeated only where it could have been an address. */
function noResource(uri: string): ResourceNotFoundError {
  return new ResourceNotFoundError(uri.slice(0, LONGEST_URI), 'There is no such record.');
}

/** What was read, or its refusal, with the typed error in the data. */
function take<Body extends object>(answer: Answer<Body>): Body {
  if (!answer.isError) return answer.body;
  const { error } = answer.body;
  throw new ProtocolError(ProtocolErrorCode.InvalidRequest, error.message, error);
}
