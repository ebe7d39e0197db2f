import { buildOf, ownBuild } from './builds.mjs';
import { planOf, report } from './report.mjs';
import { TABLE } from './table.mjs';

const plan = planOf(TABLE, {
  against: { type: 'string' },
  strict: { type: 'boolean', default: false },
  soak: { type: 'string', default: '1' },
});
const builds = [ownBuild(), ...(plan.against ? [buildOf(plan.against)] : [])];
const seconds = plan.quick ? 1.5 : 3;
const soakSeconds = plan.quick ? 8 : Number(plan.soak) * 60;
await report({ ...plan, builds, seconds, soakSeconds }, 'tools/bench/results.json');
