import { tracerContract } from './contracts/tracer.contract.js';
import { NoTracer } from './tracer.port.js';

tracerContract('NoTracer', () => new NoTracer());
