import { writeFileSync } from 'node:fs';
import { buildChart, CHART_FILE } from './build-chart.ts';

writeFileSync(CHART_FILE, await buildChart());
