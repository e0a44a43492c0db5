/** Run by move.test.ts: moves a store, and kills itself after some transactions. */
import { moveStore } from '../../../src/store/move/move-store.ts';
import type { MoveTarget } from '../../../src/store/move/move-stores.ts';
import { openMove } from './open-move.ts';

const [from = '', to = '', secret = '', writes = '', when = ''] = process.argv.slice(2);
let left = Number(writes);

const { source, target } = await openMove(from, to, Buffer.from(secret, 'hex'));
const dying: MoveTarget = {
  ...target,
  async writeRows(table, rows) {
    left -= 1;
    const written = target.writeRows(table, rows);
    if (left < 0 && when === 'before commit') setTimeout(() => process.kill(process.pid, 'SIGKILL'), 3);
    await written;
    if (left < 0) process.kill(process.pid, 'SIGKILL');
  },
};
await moveStore(source, dying, { start() {}, add() {} });
process.stdout.write('moved');
