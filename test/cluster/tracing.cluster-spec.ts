import { App } from '../e2e/harness/app.js';
import { Installation } from '../e2e/harness/installation.js';
import { oneTrace } from '../e2e/harness/one-trace.contract.js';

oneTrace(
  async (variables) => {
    const installation = new Installation();
    const gateway = await App.start(variables, installation, 'gateway');
    const others = await Promise.all([
      App.start(variables, installation, 'projections'),
      App.start(variables, installation, 'delivery'),
    ]);
    return { gateway, others, dispose: () => installation.dispose() };
  },
  { gateway: 'gateway', projections: 'projections', delivery: 'delivery' },
);
