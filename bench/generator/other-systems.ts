import { agor } from './sources/agor.ts';
import { foundry } from './sources/foundry.ts';
import { foundryMcp } from './sources/foundry-mcp.ts';
import { harmonic } from './sources/harmonic.ts';
import type { GeneratedSource } from './types.ts';

/**
 * Four team tools that have reading tools of their own. docs/from-other-systems.md shows how each of those is
 * answered by our five.
 */
export const otherSystems: GeneratedSource[] = [foundry, foundryMcp, harmonic, agor];
