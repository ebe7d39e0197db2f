// node many-rows.mjs <format> <rows> <file>: writes so many rows of appointments, and prints what that took.
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';

const [format, count, path] = process.argv.slice(2);
const BUILT = join(import.meta.dirname, '../../dist/apps/gateway');
const load = (file) => import(pathToFileURL(join(BUILT, file)).href);
const { writeSnapshot } = await load('apps/workbench/src/snapshot/write-snapshot.js');
const { keyedMask } = await load('apps/workbench/src/masks/keyed-mask.js');
const { columnsOf } = await load('libs/application/src/projections/columns/columns-of.js');
const { appointmentsProjection } = await load('libs/application/src/appointments/appointments.projection.js');

const BEGAN = 1_700_000_000_000;
const HALF_HOUR = 1_800_000;

async function* rows() {
  for (let n = 0; n < Number(count); n++) {
    const digits = String(n).padStart(20, '0');
    const startsAt = BEGAN + n * HALF_HOUR;
    const row = {
      status: n % 5 === 0 ? 'cancelled' : 'confirmed',
      version: 2,
      customerId: `cust_${n % 10_000}`,
      service: `service ${n % 50}`,
      startsAt,
      endsAt: startsAt + HALF_HOUR,
      timeZone: 'Europe/Berlin',
      notes: `what was noted for ${n}`,
      source: 'api',
      metadata: JSON.stringify({ n, campaign: `spring ${n % 7}` }),
      cancellation: n % 5 === 0 ? { reason: 'ill', cancelledBy: 'customer', at: BEGAN } : null,
      confirmedAt: BEGAN + n,
      updatedAt: BEGAN + n,
    };
    yield {
      id: `apt_${digits}`,
      projectId: 'prj_1',
      createdAt: BEGAN + n,
      sortId: digits,
      position: digits,
      deleted: false,
      row,
    };
  }
}

const from = performance.now();
const columns = columnsOf(appointmentsProjection);
const mask = keyedMask(new Uint8Array(32));
const written = await writeSnapshot({ path, format, columns, rows: rows(), project: null, mask });
const seconds = (performance.now() - from) / 1_000;
process.stdout.write(JSON.stringify({ rows: written, seconds, maxRssMiB: process.resourceUsage().maxRSS / 1_024 }));
