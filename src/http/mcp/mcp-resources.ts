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
import { chartResource } from './chart-resource.ts';
import { CHART_URI } from './tool-list.ts';

const MAX_URI_CHARACTERS = 8_000;

/** Validated here, because the library would report invalid parameters as a server error. */
const listParams = z.looseObject({});
const readParams = z.object({ uri: z.string() });
const completeParams = z.object({
  ref: z.object({ type: z.string(), uri: z.string().optional() }),
  argument: z.object({ name: z.string(), value: z.string() }),
  context: z.object({ arguments: z.record(z.string(), z.string()).optional() }).optional(),
});

/**
 * Adds records as resources, for people who pick one in their client. Reads go through the same runner as tools. The
 * chart is not listed: its tool names it, and a list that clients read at every start stays short.
 */
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
    unwrap(await runRead(listResources, undefined, caller, { surface: 'mcp', signal: mcpReq.signal })),
  );
  server.setRequestHandler('resources/read', { params: readParams }, async ({ uri }, { mcpReq }) => {
    if (uri === CHART_URI) return chartResource;
    const path = uri.length > MAX_URI_CHARACTERS ? undefined : readAddress(uri, origin);
    if (path === undefined) throw noResource(uri);
    const answer = await runRead(readResource, { path }, caller, { surface: 'mcp', signal: mcpReq.signal });
    if (answer.isError && answer.body.error.code === 'not_found') throw noResource(uri);
    return { contents: [{ uri, mimeType: 'text/markdown', text: unwrap(answer).text }] };
  });
  server.setRequestHandler(
    'completion/complete',
    { params: completeParams },
    async ({ ref, argument, context }, { mcpReq }) => {
      const part = ADDRESS_PARTS.find((one) => one === argument.name);
      if (part === undefined || ref.type !== 'ref/resource' || ref.uri !== addressTemplate(origin))
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'No completion exists for that argument.');
      const completing = { part, value: argument.value, chosen: context?.arguments ?? {} };
      const answer = await runRead(completeAddress, completing, caller, {
        surface: 'mcp',
        signal: mcpReq.signal,
      });
      const { values, hasMore } = unwrap(answer);
      return { completion: { values: [...values], hasMore } };
    },
  );
}

/** Returns the same error for absent and ungranted records. A long URI is cut. */
function noResource(uri: string): ResourceNotFoundError {
  return new ResourceNotFoundError(uri.slice(0, MAX_URI_CHARACTERS), 'There is no such record.');
}

/** Returns the body, or throws a protocol error with the typed error in its data. */
function unwrap<Body extends object>(answer: Answer<Body>): Body {
  if (!answer.isError) return answer.body;
  const { error } = answer.body;
  throw new ProtocolError(ProtocolErrorCode.InvalidRequest, error.message, error);
}
