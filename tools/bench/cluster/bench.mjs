// npm run bench:cluster [-- rows…] [--quick] [--rounds n]
// What the cluster engine does, beside reference programs on the same engines in the same run. Installs and starts each engine
// that EVENTSTORE_URL, KAFKA_BROKERS or MONGODB_URL does not name.
import { missing } from '../../engines/engines.mjs';
import { prepare } from '../../launch/prepare.mjs';
import { endWithSteps } from '../../launch/run.mjs';

endWithSteps();
await prepare();
const gaps = missing();
if (gaps.length > 0) {
  process.stderr.write(`${gaps.join('\n')}\n`);
  process.exit(1);
}
// Rows need packages, which a fresh clone has only now.
await import('./measure.mjs');
