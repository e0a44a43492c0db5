import type { FormatCommand } from '../text/hint.ts';
import { CALLED_ELSEWHERE, type CalledAs, createCommandFormat, DEFAULT_PORT } from './command-name.ts';
import { type ClientKey, listClients } from './guide-clients.ts';
import {
  judgeAddress,
  listRecipes,
  type Place,
  type Reachability,
  type Recipe,
  type Verdict,
} from './reachability.ts';

/** One thing to do. In texts, `backticks` hold what is typed or clicked as it stands. */
export interface Step {
  readonly text: string;
  /** To be copied whole. */
  readonly copy?: string;
  readonly link?: { readonly label: string; readonly href: string };
}

/** How one app is connected. */
export interface GuideClient {
  readonly key: ClientKey;
  readonly name: string;
  /** Where it runs: on a computer of the owner's, or at its maker's. */
  readonly runs: 'here' | 'hosted';
  /** The recommended way; its first step is the main one. */
  readonly steps: readonly Step[];
  readonly next: string;
  /** One line for an agent that sets the app up. */
  readonly brief: string;
  /** For when the recommended way does not work. */
  readonly otherwise_title: string;
  readonly otherwise: readonly Step[];
  /** What to do when it was approved and has not used anything. */
  readonly wake: string;
  readonly docs: string | null;
  readonly verdict: Verdict;
}

/** Everything a person or an agent must know to connect an app here. No secret is part of it. */
export interface Guide {
  readonly origin: string;
  readonly mcp_url: string;
  readonly reachability: Reachability;
  /** Ways to an address that hosted apps can call; empty where they can already. */
  readonly recipes: readonly Recipe[];
  readonly clients: readonly GuideClient[];
  readonly cli: Step;
  readonly agents: Step;
}

/** How the readers of an address call the program: by its path on this computer, or however it is installed on theirs. */
function findCallable(place: Place, called: CalledAs): CalledAs {
  return place === 'this_computer' ? called : CALLED_ELSEWHERE;
}

/** Commands for somebody who is not signed in: they learn that a folder must be named, and not where it is. */
export function createPublicFormat(publicUrl: string, called: CalledAs): FormatCommand {
  const callable = findCallable(judgeAddress(publicUrl).place, called);
  const folder = called.folder === undefined ? undefined : 'FOLDER';
  return createCommandFormat({ ...callable, folder });
}

/** The one source of set-up text: the page, its JSON and Markdown twins and llms.txt say the same. */
export function createGuide(publicUrl: string, called: CalledAs = CALLED_ELSEWHERE): Guide {
  const mcp_url = `${publicUrl}/mcp`;
  const reachability = judgeAddress(publicUrl);
  const callable = findCallable(reachability.place, called);
  return {
    origin: publicUrl,
    mcp_url,
    reachability,
    recipes: listRecipes(called.port ?? DEFAULT_PORT, reachability.place, createCommandFormat(called)),
    clients: listClients(mcp_url, reachability.place, callable),
    cli: {
      text: 'No app at all: ask for access from a terminal or a script, approve it in the browser, read.',
      copy: `${callable.command} connect ${publicUrl}`,
    },
    agents: {
      text: 'An agent that can open links finds everything on this page here:',
      copy: `${publicUrl}/llms.txt`,
    },
  };
}
