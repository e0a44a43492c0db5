import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOwnerToken } from '../../src/grants/grant-store.ts';
import { openStore } from '../../src/store/sqlite/open-store.ts';
import { setUpDiary } from '../support/fill-store.ts';
import { setCheapPassphrase } from '../support/oauth-client.ts';
import {
  backUpAndKill,
  ingestAndKill,
  migrateAndKill,
  type RoundResult,
  restoreAndKill,
  tryOpen,
} from './file-rounds.ts';
import { Ledger } from './ledger.ts';
import { serveAndKill, type Users } from './serve-round.ts';

/** In this order, over and over. Serving comes most often, because it does most things at once. */
const PHASES = ['serve', 'ingest', 'restore', 'serve', 'checkpoint', 'backup', 'serve', 'migrate'] as const;
type Phase = (typeof PHASES)[number];

/** So many rounds share a folder, which has then been killed in as many ways. */
const ROUNDS_PER_FOLDER = 16;

export interface PhaseFigures {
  rounds: number;
  acknowledged: number;
  lost: number;
  refused: number;
}

export interface KillFigures {
  readonly phases: Record<Phase, PhaseFigures>;
  readonly problems: string[];
}

/** Kills processes at random moments of everything they do, and looks each time at what they left behind. */
export async function runKillRounds(
  rounds: number,
  tell: (line: string) => void = () => {},
): Promise<KillFigures> {
  const phases = Object.fromEntries(
    PHASES.map((phase) => [phase, { rounds: 0, acknowledged: 0, lost: 0, refused: 0 }]),
  ) as Record<Phase, PhaseFigures>;
  const problems: string[] = [];
  let place = await makePlace();
  for (let round = 0; round < rounds; round += 1) {
    const phase = PHASES[round % PHASES.length] as Phase;
    const result = await runRound(phase, place);
    const refused = result.problems.filter((problem) => problem.startsWith('refused')).length;
    const figures = phases[phase];
    figures.rounds += 1;
    figures.acknowledged += result.acknowledged;
    figures.refused += refused;
    figures.lost += result.problems.length - refused;
    for (const problem of result.problems) problems.push(`${phase}: ${problem}`);
    tell(
      `${round + 1} ${phase}: ${result.acknowledged} acknowledged${result.problems.map((one) => `\n   ${one}`).join('')}`,
    );
    // A folder in which something is missing would be found wanting in every later round.
    const isOver = (round + 1) % ROUNDS_PER_FOLDER === 0 || result.problems.length > 0;
    if (!isOver) continue;
    rmSync(place.folder, { recursive: true, force: true });
    if (round + 1 < rounds) place = await makePlace();
  }
  rmSync(place.folder, { recursive: true, force: true });
  return { phases, problems };
}

interface Place {
  readonly folder: string;
  readonly ledger: Ledger;
  readonly users: Users;
}

async function makePlace(): Promise<Place> {
  const folder = join(mkdtempSync(join(tmpdir(), 'pdpp-test-')));
  const store = await openStore(folder);
  await setUpDiary(store);
  await setCheapPassphrase({ store });
  const ownerToken = await createOwnerToken(store.write, new Date());
  store.close();
  return { folder, ledger: new Ledger(), users: { ownerToken } };
}

async function runRound(phase: Phase, place: Place): Promise<RoundResult> {
  const before = place.ledger.acknowledged;
  const result = await act(phase, place);
  const left = await tryOpen(place.folder, place.ledger);
  return {
    problems: [...result.problems, ...left],
    acknowledged: phase === 'serve' ? place.ledger.acknowledged - before : result.acknowledged,
  };
}

async function act(phase: Phase, { folder, ledger, users }: Place): Promise<RoundResult> {
  switch (phase) {
    case 'serve':
      return { problems: await serveAndKill(folder, ledger, users), acknowledged: 0 };
    case 'ingest':
    case 'checkpoint':
      return ingestAndKill(folder, ledger, phase);
    case 'backup':
      return backUpAndKill(folder);
    case 'restore':
      return restoreAndKill(folder, ledger);
    case 'migrate':
      return migrateAndKill();
  }
}

/** The figures as a table. */
export function writeKillTable({ phases }: KillFigures): string {
  const names = Object.keys(phases) as Phase[];
  const sum = (pick: keyof PhaseFigures) => names.reduce((all, name) => all + phases[name][pick], 0);
  const row = (...cells: (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [
    row('killed while', 'rounds', 'acknowledged', 'lost', 'refused'),
    row('---', '---', '---', '---', '---'),
    ...names.map((name) => {
      const { rounds, acknowledged, lost, refused } = phases[name];
      return row(name, rounds, acknowledged, lost, refused);
    }),
    row('all', sum('rounds'), sum('acknowledged'), sum('lost'), sum('refused')),
  ].join('\n');
}
