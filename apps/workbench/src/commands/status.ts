import { type Command, NO_NAMES } from './command.js';

export interface Standing {
  readonly name: string;
  readonly state: string;
  readonly checkpoint: string;
  readonly head: string;
  readonly rows: number;
  readonly lag_ms: number;
  readonly rebuild: { readonly state: string; readonly percent: number } | null;
  readonly quarantined: number;
}

export const STANDINGS = '/admin/v1/projections';

export const status: Command = {
  name: 'status',
  ...NO_NAMES,
  about: 'shows how far the read models of the service are.',
  options: {},
  async run(workbench) {
    const { data } = await (await workbench.session()).get<{ data: readonly Standing[] }>(STANDINGS);
    const widest = Math.max(0, ...data.map(({ name }) => name.length));
    for (const standing of data) await workbench.output.tell(standing, `${standing.name.padEnd(widest)}  ${shown(standing)}`);
    return 0;
  },
};

function shown({ state, lag_ms: lag, checkpoint, head, rebuild, quarantined, rows }: Standing): string {
  const parts = [`${rows} rows`, lag === 0 ? 'up to date' : `${lag} ms behind (${checkpoint} of ${head})`];
  if (rebuild?.state === 'running') parts.push(`rebuilding, ${rebuild.percent} %`);
  if (quarantined > 0) parts.push(`${quarantined} events skipped`);
  if (state === 'no_process') parts.push('no process runs it');
  return parts.join(', ');
}
