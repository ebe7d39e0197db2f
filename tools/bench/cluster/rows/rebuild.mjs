import { Admin, caughtUp } from '../../client.mjs';
import { rush } from '../../load.mjs';
import { runProgram } from '../../processes.mjs';
import { conversations } from '../../requests.mjs';
import { contest } from '../../rounds.mjs';

const READ_MODEL = 'conversations';

/** A read model of one row per event is rebuilt from the log, by a process that does everything. */
export async function rebuild(plan) {
  const { servers, gateway, running } = plan.cluster;
  await rush(gateway.url, conversations(), plan.quick ? 2_000 : 20_000);
  await caughtUp(running.projections[0]);
  await plan.cluster.end('projections', running.projections[0]);
  const whole = await plan.cluster.add('whole');
  await caughtUp(whole);
  const admin = await Admin.of(whole);
  const { head } = (await admin.projections())[0];
  const measure = async () => ({ perSecond: Number(head) / (await admin.rebuild([READ_MODEL])) });
  const limit = () => runProgram('cluster-rebuild.mjs', { servers, rowsOf: READ_MODEL });
  const found = await contest(plan, measure, limit);
  await plan.cluster.end('whole', whole);
  await plan.cluster.add('projections');
  return found;
}
