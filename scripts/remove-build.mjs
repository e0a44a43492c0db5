import { rmSync } from 'node:fs';

// Files of an older build must not get into a package.
rmSync('dist', { recursive: true, force: true });
