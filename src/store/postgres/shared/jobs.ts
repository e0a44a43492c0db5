import { type JobStore, jobLease, type StoredJob } from '../../shared-state.ts';
import type { PostgresDatabase } from '../database.ts';
import { sql } from '../sql.ts';

/** Stores jobs and their files, in parts of about a megabyte, so that any process can continue a job. */
export function createJobStore(db: PostgresDatabase): JobStore {
  const owner = db.ownerId;
  const whereJob = (id: string) => sql`owner_id = ${owner} and job_id = ${id}`;
  const columns = sql`job_id as id, kind, state, view, detail`;
  return {
    async add({ id, kind, state, view, detail }, now) {
      const time = now.getTime();
      await db.run(sql`insert into jobs (owner_id, job_id, kind, state, view, detail, created_at, changed_at)
        values (${owner}, ${id}, ${kind}, ${state}, ${view}, ${detail}, ${time}::int8, ${time}::int8)`);
    },
    async find(id) {
      return (await db.query<StoredJob>(sql`select ${columns} from jobs where ${whereJob(id)}`))[0];
    },
    list: (kind) =>
      db.query<StoredJob>(sql`select ${columns} from jobs where owner_id = ${owner} and kind = ${kind}
        order by created_at, job_id`),
    states: () =>
      db.query(sql`select j.job_id as id, j.kind, j.state, l.name is not null as "isHeld" from jobs j
        left join leases l on l.owner_id = ${owner} and l.name = ${jobLease('')} || j.job_id and l.expires_at >= now()
        where j.owner_id = ${owner} order by j.created_at, j.job_id`),
    async change(id, from, { state, view, detail }, now) {
      const changed = await db.run(sql`update jobs set state = ${state}, view = ${view}, detail = ${detail},
          is_stopping = false, changed_at = ${now.getTime()}::int8
        where ${whereJob(id)} and state = any(${from}::text[])`);
      return changed > 0;
    },
    async askToStop(id, from) {
      const changed = await db.run(
        sql`update jobs set is_stopping = true where ${whereJob(id)} and state = any(${from}::text[])`,
      );
      return changed > 0;
    },
    async save(id, { state, view, detail }, now) {
      const [saved] = await db.query<{ is_stopping: boolean }>(sql`
        update jobs set state = ${state}, view = ${view}, detail = ${detail}, changed_at = ${now.getTime()}::int8
        where ${whereJob(id)} returning is_stopping`);
      if (saved === undefined) return 'gone';
      return saved.is_stopping ? 'stopping' : 'running';
    },
    async remove(id, from) {
      const removed = await db.run(
        sql`delete from jobs where ${whereJob(id)} and state = any(${from}::text[])`,
      );
      return removed > 0;
    },
    async addPart(id, file, part, data) {
      await db.run(sql`insert into job_parts values (${owner}, ${id}, ${file}, ${part}, ${data})`);
    },
    async *readParts(id, file) {
      for (let part = 0; ; part++) {
        const [row] = await db.query<{ data: Buffer }>(
          sql`select data from job_parts where ${whereJob(id)} and file = ${file} and part = ${part}`,
        );
        if (row === undefined) return;
        yield row.data;
      }
    },
    async removeParts(id) {
      await db.run(sql`delete from job_parts where ${whereJob(id)}`);
    },
  };
}
