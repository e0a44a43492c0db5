import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Caller } from '../../reads/admission.ts';
import type { Answer, RunRead } from '../../reads/run-read.ts';
import {
  ADDRESS_PARTS,
  addressTemplate,
  completeAddress,
  listResources,
  readAddress,
} from '../../views/resources/list-resources.ts';
import { readResource } from '../../views/resources/read-resource.ts';

const MAX_URI_CHARACTERS = 8_000;

/** Checked here: what does not fit the library's own form it would call our failure. */
const listParams = z.looseObject({});
const readParams = z.object({ uri: z.string() });
const completeParams = z.object({
  ref: z.object({ type: z.string(), uri: z.string().optional() }),
  argument: z.object({ name: z.string(), value: z.string() }),
  context: z.object({ arguments: z.record(z.string(), z.string()).optional() }).optional(),
});

/** Records for people who pick one in their client; apps read them as the tools do, through the same runner. */
export function addResources(server: Server, runRead: RunRead, caller: Caller, origin: string): void {
  server.setRequestHandler('resources/templates/list', { params: listParams }, () => ({
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
  server.setRequestHandler('resources/list', { params: listParams }, async (_, { mcpReq }) =>
    take(await runRead(listResources, undefined, caller, { surface: 'mcp', signal: mcpReq.signal })),
  );
  server.setRequestHandler('resources/read', { params: readParams }, async ({ uri }, { mcpReq }) => {
    const path = uri.length > MAX_URI_CHARACTERS ? undefined : readAddress(uri, origin);
    if (path === undefined) throw noResource(uri);
    const answer = await runRead(readResource, { path }, caller, { surface: 'mcp', signal: mcpReq.signal });
    if (answer.isError && answer.body.error.code === 'not_found') throw noResource(uri);
    return { contents: [{ uri, mimeType: 'text/markdown', text: take(answer).text }] };
  });
  server.setRequestHandler(
    'completion/complete',
    { params: completeParams },
    async ({ ref, argument, context }, { mcpReq }) => {
      const part = ADDRESS_PARTS.find((one) => one === argument.name);
      if (part === undefined || ref.type !== 'ref/resource' || ref.uri !== addressTemplate(origin))
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          'There is nothing to complete of that name.',
        );
      const completing = { part, value: argument.value, chosen: context?.arguments ?? {} };
      const answer = await runRead(completeAddress, completing, caller, {
        surface: 'mcp',
        signal: mcpReq.signal,
      });
      const { values, hasMore } = take(answer);
      return { completion: { values: [...values], hasMore } };
    },
  );
}

/** Absent and not granted look the same. What was sent is repeated only where it could have been an address. */
function noResource(uri: string): ResourceNotFoundError {
  return new ResourceNotFoundError(uri.slice(0, MAX_URI_CHARACTERS), 'There is no such record.');
}

/** What was read, or its refusal, with the typed error in the data. */
function take<Body extends object>(answer: Answer<Body>): Body {
  if (!answer.isError) return answer.body;
  const { error } = answer.body;
  throw new ProtocolError(ProtocolErrorCode.InvalidRequest, error.message, error);
}
