import type { TakeTurn } from '../limits/fair-queue.ts';
import type { CallLimits, Spender } from './call-limits.ts';
import type { Caller } from './caller.ts';
import type { Surface } from './run-read.ts';

/** Lets a call begin when its turn comes, or refuses it. The result says that it is over. */
export type EnterCall = (caller: Caller, surface: Surface, signal?: AbortSignal) => Promise<() => void>;

export interface CallDoor {
  readonly enter: EnterCall;
  /** Before a request is read: refuses whoever goes on calling after they were told to wait. */
  check(caller: Caller): Promise<void>;
  /** A message that runs no tool is a call too. */
  count(caller: Caller): void;
}

/** How often apps may call, how much work they may cause, and in which order they are served. */
export function createCallDoor(
  limits: CallLimits,
  takeTurn: TakeTurn,
  onRefused: (caller: Caller) => Promise<void>,
): CallDoor {
  return {
    async check(caller) {
      try {
        limits.checkDoor(spenderOf(caller));
      } catch (error) {
        await onRefused(caller);
        throw error;
      }
    },
    count: (caller) => limits.take(spenderOf(caller)),
    async enter(caller, surface, signal) {
      // The owner's own pages wait for their turn, but are not counted.
      if (surface === 'dashboard') return takeTurn('owner', signal);
      const spender = spenderOf(caller);
      limits.take(spender);
      const leave = await takeTurn(spender.grant ?? 'owner', signal);
      try {
        limits.checkWork(spender);
      } catch (error) {
        leave();
        throw error;
      }
      const started = performance.now();
      return () => {
        limits.charge(spender, performance.now() - started);
        leave();
      };
    },
  };
}

function spenderOf(caller: Caller): Spender {
  return {
    token: caller.tokenHash,
    grant: caller.kind === 'client' ? caller.grant.grantId : undefined,
  };
}
