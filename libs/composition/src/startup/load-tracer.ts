import { SystemClock } from '@adapters/clock.system';
import { LogThrottle } from '@application/runtime/log-throttle';
import type { Config } from '@platform/config/config';
import { VERSION } from '@platform/config/version';
import { NO_TRACER, type Tracer } from '@ports/tracer.port';

/**
 * Loads what sends spans to a collector, and only where the settings name one.
 * @param service what traces call this app
 * @param warn gets a line for the log where the collector takes nothing, and one where it does again
 */
export async function loadTracer({ tracing }: Config, service: string, warn: (line: string) => void): Promise<Tracer> {
  const { endpoint, sampler, ratio } = tracing;
  if (endpoint === null) return NO_TRACER;
  const { OpenTelemetryTracer } = await import('../../../adapters/src/opentelemetry/tracer.opentelemetry.js');
  const clock = new SystemClock();
  const throttle = new LogThrottle(clock);
  const exported = (failure: Error | null): void => {
    if (failure === null) {
      if (throttle.recovered()) warn('the collector takes spans again');
    } else if (throttle.shouldLog(new Error(causeOf(failure)))) warn(`the collector takes no spans: ${causeOf(failure)}`);
  };
  return OpenTelemetryTracer.to(endpoint, { service, version: VERSION, sampler, ratio, exported }, clock);
}

/** The code of a failure, such as `ECONNREFUSED` or a status of HTTP: its message may quote what the collector said. */
function causeOf({ name, ...failure }: Error): string {
  const { code } = failure as { code?: unknown };
  return typeof code === 'string' || typeof code === 'number' ? String(code) : name;
}
