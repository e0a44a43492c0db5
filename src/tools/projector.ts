import { estimateTokens } from '../text/estimate-tokens.ts';

/**
 * The token budget of one result, per channel. Copilot cuts at 20 KB, Codex at about 40 KB, Claude Code at
 * 50,000 characters. The estimator may be 10 % under the truth, so that much is kept back from 4,500.
 */
export const RESULT_TOKENS = 4_050;
export const RESULT_BYTES = 19_000;

/** Room left in a result while it is put together piece by piece. */
export class Budget {
  #tokens: number;
  #taken = 0;
  #bytes: number;

  constructor(tokens = RESULT_TOKENS, bytes = RESULT_BYTES) {
    this.#tokens = tokens;
    this.#bytes = bytes;
  }

  /** Takes the room for a piece, if there is enough. */
  take(piece: unknown): boolean {
    const cost = measure(piece);
    if (cost.tokens > this.#tokens || cost.bytes > this.#bytes) return false;
    this.#tokens -= cost.tokens;
    this.#bytes -= cost.bytes;
    this.#taken += cost.tokens;
    return true;
  }

  /** Keeps room free for a handle that will be made of this place: encrypted, it is base64 of a little more. */
  reserveHandle(place: unknown): void {
    const characters = Math.ceil((Buffer.byteLength(JSON.stringify(place)) + 30) * 1.34) + 42;
    this.#tokens -= Math.ceil(characters * 0.8);
    this.#bytes -= characters;
  }

  /** Tokens taken so far. */
  get used(): number {
    return this.#taken;
  }

  get left(): { tokens: number; bytes: number } {
    return { tokens: this.#tokens, bytes: this.#bytes };
  }
}

/** What a piece costs inside a JSON result, its comma included. */
export function measure(piece: unknown): { tokens: number; bytes: number } {
  const text = typeof piece === 'string' ? piece : JSON.stringify(piece);
  return { tokens: estimateTokens(text) + 1, bytes: Buffer.byteLength(text) + 1 };
}

export function fits(piece: unknown, budget: Budget): boolean {
  const cost = measure(piece);
  return cost.tokens <= budget.left.tokens && cost.bytes <= budget.left.bytes;
}

/** The first of several ever shorter renderings that fits, or the last one. */
export function firstFitting<T>(renderings: readonly (() => T)[], budget: Budget): T {
  let rendering = (renderings[0] as () => T)();
  for (const render of renderings.slice(1)) {
    if (fits(rendering, budget)) return rendering;
    rendering = render();
  }
  return rendering;
}
