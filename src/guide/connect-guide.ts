import type { FormatCommand } from '../text/hint.ts';
import { createCommandFormat, DEFAULT_PORT, type Invocation, PLAIN_COMMAND } from './command-name.ts';
import { type ClientKey, listClients } from './guide-clients.ts';
import {
  classifyAddress,
  listRecipes,
  type Place,
  type Reachability,
  type Recipe,
  type Verdict,
} from './reachability.ts';

/** One instruction. `Backticks` mark literal text. */
export interface Step {
  readonly text: string;
  /** Text to copy. */
  readonly copy?: string;
  readonly link?: { readonly label: string; readonly href: string };
}

/** Instructions for connecting one app. */
export interface GuideClient {
  readonly key: ClientKey;
  readonly name: string;
  /** Whether it runs on the owner's computer or on its maker's servers. */
  readonly runs: 'here' | 'hosted';
  /** The recommended steps. The first is the main one. */
  readonly steps: readonly Step[];
  readonly next: string;
  /** One line for agents that set up the app. */
  readonly brief: string;
  /** Alternatives if the recommended steps fail. */
  readonly otherwise_title: string;
  readonly otherwise: readonly Step[];
  /** What to do if the app is approved but reads nothing. */
  readonly wake: string;
  readonly docs: string | null;
  readonly verdict: Verdict;
}

/** Instructions for connecting apps. Contains no secrets. */
export interface Guide {
  readonly origin: string;
  readonly mcp_url: string;
  readonly reachability: Reachability;
  /** Ways to get a public address; empty if there is one. */
  readonly recipes: readonly Recipe[];
  readonly clients: readonly GuideClient[];
  readonly cli: Step;
  readonly agents: Step;
}

/** Returns how readers of an address start pdpp. The path of this installation works only on this computer. */
function chooseCommand(place: Place, invocation: Invocation): Invocation {
  return place === 'this_computer' ? invocation : PLAIN_COMMAND;
}

/** Formats commands for visitors who are not signed in, without the data folder. */
export function createPublicFormat(publicUrl: string, invocation: Invocation): FormatCommand {
  const command = chooseCommand(classifyAddress(publicUrl).place, invocation);
  const folder = invocation.folder === undefined ? undefined : 'FOLDER';
  return createCommandFormat({ ...command, folder });
}

/** Creates the setup texts for the page, its JSON and Markdown forms, and llms.txt. */
export function createGuide(publicUrl: string, invocation: Invocation = PLAIN_COMMAND): Guide {
  const mcp_url = `${publicUrl}/mcp`;
  const reachability = classifyAddress(publicUrl);
  const command = chooseCommand(reachability.place, invocation);
  return {
    origin: publicUrl,
    mcp_url,
    reachability,
    recipes: listRecipes(
      invocation.port ?? DEFAULT_PORT,
      reachability.place,
      createCommandFormat(invocation),
    ),
    clients: listClients(mcp_url, reachability.place, command),
    cli: {
      text: 'Read your data from a terminal or script. You approve access in the browser.',
      copy: `${command.command} connect ${publicUrl}`,
    },
    agents: {
      text: 'Agents that can open links find these instructions here:',
      copy: `${publicUrl}/llms.txt`,
    },
  };
}
