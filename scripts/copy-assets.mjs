import { cpSync, existsSync } from 'node:fs';

// Copies files that the program reads at run time. The first argument is the output folder.
const [to = 'dist'] = process.argv.slice(2);
for (const file of [
  'dashboard/style.css',
  'dashboard/script.js',
  'dashboard/icon.svg',
  'src/demo/demo.ndjson.gz',
  'src/http/mcp/chart.html',
]) {
  cpSync(file, `${to}/${file}`);
}
// pdf.js is bundled; it reads these tables for Chinese, Japanese and Korean documents.
cpSync('node_modules/pdfjs-dist/cmaps', `${to}/src/attachments/formats/cmaps`, { recursive: true });
// The package also works without the skill.
if (existsSync('skills')) cpSync('skills', `${to}/skills`, { recursive: true });
