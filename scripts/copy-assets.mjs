import { cpSync } from 'node:fs';

// What the compiler leaves behind: the dashboard's style sheet is read at run time.
cpSync('dashboard/style.css', 'dist/dashboard/style.css');
