import type { RequestContext } from '@application/runtime/request-context';
import { TaskDirectory } from '@application/tasks/task-directory';
import { BulkAllowance } from '@application/webhooks/bulk/bulk-allowance';
import { OpenEndpointTask, RetryDeliveries, type EndpointWork } from '@application/webhooks/bulk/bulk.commands';
import { RetryDeliveriesHandler } from '@application/webhooks/bulk/bulk.handlers';
import { BulkReplays } from '@application/webhooks/bulk/bulk-replays';
import { BulkWork } from '@application/webhooks/bulk/bulk-work';
import { DeliveriesRetryTask } from '@application/webhooks/bulk/deliveries-retry-task';
import { EndpointReconcileTask } from '@application/webhooks/bulk/endpoint-reconcile-task';
import { EndpointRecoverTask } from '@application/webhooks/bulk/endpoint-recover-task';
import { EndpointReplayMissingTask } from '@application/webhooks/bulk/endpoint-replay-missing-task';
import { OpenEndpointTaskHandler } from '@application/webhooks/bulk/endpoint-task.handler';
import { FirstDeliveries } from '@application/webhooks/bulk/first-deliveries';
import { LatestEvents } from '@application/webhooks/bulk/latest-events';
import { BulkResending } from '@application/webhooks/bulk/bulk-resending';
import { MatchedRows } from '@application/webhooks/bulk/matched-rows';
import { PastEndpoints } from '@application/webhooks/bulk/past-endpoints';
import type { RetryParameters } from '@application/webhooks/bulk/retry-parameters';
import { SelectedDeliveries } from '@application/webhooks/bulk/selected-deliveries';
import { WantedEvents } from '@application/webhooks/bulk/wanted-events';
import type { DeliveryStreams } from '@application/webhooks/delivery-streams';
import type { EndpointDirectory } from '@application/webhooks/endpoints/endpoint-directory';
import type { NewDeliveries } from '@application/webhooks/new-deliveries';
import type { TaskKind } from '@application/tasks/task-kind';
import type { Task } from '@domain/task/task';
import { NO_OLDER_RELEASE } from './hosting.js';
import type { LedgerWorld } from './ledger-world.js';

/** The defaults of a retry of many deliveries. */
const USUAL: RetryParameters = { status: ['failed'], mode: 'all', skip_recovered: true, per_second: 500, dry_run: false };

interface Delivering {
  readonly ledger: LedgerWorld;
  readonly streams: DeliveryStreams;
  readonly directory: EndpointDirectory;
  readonly scheduling: NewDeliveries;
}

export interface BulkTasks {
  readonly kinds: readonly TaskKind[];
  readonly tasks: TaskDirectory;
  retry(parameters: Partial<RetryParameters>): Promise<Task>;
  open(endpointId: string, work: EndpointWork, context?: RequestContext): Promise<Task>;
}

/** Work in bulk over a world's deliveries. */
export function bulkTasksOf(world: Delivering): BulkTasks {
  const { ledger, directory } = world;
  const { clock, ids } = ledger;
  const tasks = new TaskDirectory(ledger.streams, NO_OLDER_RELEASE, clock);
  const retrying = new RetryDeliveriesHandler(tasks, directory, ledger.appointments, ids);
  const opening = new OpenEndpointTaskHandler(tasks, directory, ids);
  return {
    kinds: kindsOf(world),
    tasks,
    retry: (parameters) => retrying.execute(new RetryDeliveries(ledger.context(), { ...USUAL, ...parameters })),
    open: (endpointId, work, context = ledger.context()) => opening.execute(new OpenEndpointTask(context, endpointId, work)),
  };
}

function kindsOf({ ledger, streams, directory, scheduling }: Delivering): readonly TaskKind[] {
  const { clock, ids, fresh, ports } = ledger;
  const { events, readModels } = ports;
  const replays = new BulkReplays(streams, directory, scheduling, clock, ids);
  const resending = new BulkResending(replays, new LatestEvents(readModels), streams, clock);
  const work = new BulkWork(new BulkAllowance(readModels, fresh), fresh, clock);
  const rows = new MatchedRows(readModels);
  const past = new PastEndpoints(events);
  const selected = new SelectedDeliveries(rows, resending, past, work);
  const wanted = new WantedEvents(rows);
  return [
    new DeliveriesRetryTask(selected),
    new EndpointRecoverTask(selected),
    new EndpointReplayMissingTask(wanted, past, resending, work, new FirstDeliveries(readModels, scheduling)),
    new EndpointReconcileTask(wanted, past, resending, work),
  ];
}
