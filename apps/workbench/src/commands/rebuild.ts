import type { AdminSession } from '../service/admin-session.js';
import type { Workbench } from '../workbench.js';
import { type Command, SOME_NAMES } from './command.js';
import { finishedTask, type ServiceTask } from './finished-task.js';
import { refuseUnknown } from './known-projections.js';
import { type Standing, STANDINGS } from './status.js';

interface Rebuilt {
  readonly percent: number;
  readonly rows: number;
  readonly started_at: string;
  readonly completed_at: string | null;
}

interface RebuildTask extends ServiceTask {
  readonly result: { readonly projections?: Readonly<Record<string, Rebuilt>> } | null;
}

export const rebuild: Command = {
  name: 'rebuild',
  ...SOME_NAMES,
  about: 'makes the rows of the service anew, those of all read models where none is named; lists show the old ones meanwhile.',
  options: {},
  async run(workbench, { names }) {
    const session = await workbench.session();
    const { data } = await session.get<{ data: readonly Standing[] }>(STANDINGS);
    const known = data.map(({ name }) => name);
    refuseUnknown(names, known);
    const paths = names.length === 0 ? ['rebuild'] : names.map((name) => `${encodeURIComponent(name)}/rebuild`);
    for (const path of paths) await carriedOut(workbench, session, await session.post<RebuildTask>(`${STANDINGS}/${path}`));
    return 0;
  },
};

/** Shows each read model when it is done. Rejects where the task did not do its work: the rows are as before. */
async function carriedOut(workbench: Workbench, session: AdminSession, begun: RebuildTask): Promise<void> {
  const shown = new Set<string>();
  await finishedTask(workbench, session, begun, async ({ id, result }) => {
    for (const [name, rebuilt] of Object.entries(result?.projections ?? {})) {
      if (shown.has(name) || rebuilt.completed_at === null) continue;
      shown.add(name);
      const told = { projection: name, task_id: id, ...rebuilt };
      await workbench.output.tell(told, `${name}: rebuilt in ${secondsOf(rebuilt)} s, ${rebuilt.rows} rows`);
    }
  });
}

function secondsOf({ started_at, completed_at }: Rebuilt): string {
  return ((Date.parse(completed_at ?? started_at) - Date.parse(started_at)) / 1_000).toFixed(1);
}
