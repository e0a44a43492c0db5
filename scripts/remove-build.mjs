import { rmSync } from 'node:fs';

// What an older build left behind must not get into a package.
rmSync('dist', { recursive: true, force: true });
