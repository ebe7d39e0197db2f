import { Command } from '@nestjs/cqrs';
import type { Task } from '@domain/task/task';
import type { RequestContext } from '../../runtime/request-context.js';
import type {
  ENDPOINT_RECONCILE,
  ENDPOINT_RECOVER,
  ENDPOINT_REPLAY_MISSING,
  ReconcileParameters,
  RecoverParameters,
  ReplayMissingParameters,
} from './endpoint-parameters.js';
import type { RetryParameters } from './retry-parameters.js';

/** Opens a task of kind `deliveries.retry`. Refuses with `task_limit_reached`. */
export class RetryDeliveries extends Command<Task> {
  constructor(
    readonly context: RequestContext,
    readonly parameters: RetryParameters,
  ) {
    super();
  }
}

export type EndpointWork =
  | { readonly kind: typeof ENDPOINT_RECOVER; readonly parameters: RecoverParameters }
  | { readonly kind: typeof ENDPOINT_REPLAY_MISSING; readonly parameters: ReplayMissingParameters }
  | {
      readonly kind: typeof ENDPOINT_RECONCILE;
      readonly parameters: ReconcileParameters;
      /** The ids of the events that the endpoint's owner has. */
      readonly received: readonly string[];
    };

/** Opens a task about an endpoint. Refuses with `resource_missing`, `webhook_endpoint_disabled` and `task_limit_reached`. */
export class OpenEndpointTask extends Command<Task> {
  constructor(
    readonly context: RequestContext,
    readonly endpointId: string,
    readonly work: EndpointWork,
  ) {
    super();
  }
}
