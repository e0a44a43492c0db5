import { afterAll, expect, vi } from 'vitest';

// Files share a process: one that left a clock of its own behind would make the next one fail, far from the cause.
afterAll(() => expect(vi.isFakeTimers()).toBe(false));
