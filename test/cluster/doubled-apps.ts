import { App } from '../e2e/harness/app.js';
import { Installation } from '../e2e/harness/installation.js';
import { eventually } from '../e2e/harness/eventually.js';
import { book } from '../e2e/harness/ledger.js';
import { RecordingModel } from '../e2e/harness/recording-model.js';
import { Backend, LOCAL_HOOKS, type Hook } from '../e2e/harness/receiver.js';
import { DeliveryGroup } from './delivery-group.js';
import { OwnEngines } from './own-engines.js';

/** As many as partitions, so that some belong to each delivery process. */
const ENDPOINTS = 24;

type Two = readonly [App, App];

/** Tries until the expectation holds, which it must within the time since `from`. */
export async function holdsWithin(ms: number, from: number, expectation: () => void | Promise<void>): Promise<void> {
  await eventually(expectation);
  const took = performance.now() - from;
  if (took > ms) throw new Error(`It took ${Math.round(took)} ms, and ${ms} are promised.`);
}

/** Two of each app on engines of their own, with a model that they ask and endpoints that answer 200. */
export class DoubledApps {
  private threads = 0;

  private constructor(
    readonly engines: OwnEngines,
    readonly model: RecordingModel,
    private readonly backend: Backend,
    private readonly installation: Installation,
    readonly gateways: Two,
    readonly projections: Two,
    readonly deliveries: Two,
    readonly hooks: readonly Hook[],
  ) {}

  static async start(): Promise<DoubledApps> {
    const [engines, model, backend] = await Promise.all([OwnEngines.start(), RecordingModel.start(), Backend.start()]);
    const installation = new Installation(engines.servers);
    const variables = { ...LOCAL_HOOKS, ...model.variables, WEBHOOK_TIMEOUT_MS: '12000' };
    const two = (part: 'gateway' | 'projections' | 'delivery') =>
      Promise.all([App.start(variables, installation, part), App.start(variables, installation, part)]);
    const [gateways, projections, deliveries] = await Promise.all([two('gateway'), two('projections'), two('delivery')]);
    const hooks = Array.from({ length: ENDPOINTS }, () => backend.hook(200));
    for (const { url } of hooks) {
      const { status, text } = await gateways[0].api.post('/v1/webhook_endpoints', { url });
      if (status !== 201) throw new Error(`an endpoint was refused: ${text}`);
    }
    return new DoubledApps(engines, model, backend, installation, gateways, projections, deliveries, hooks);
  }

  async dispose(): Promise<void> {
    await Promise.all([...this.gateways, ...this.projections, ...this.deliveries].map((app) => app.kill()));
    await this.installation.dispose();
    await Promise.all([this.engines.dispose(), this.model.stop(), this.backend.close()]);
  }

  /** Rejects unless a conversation that is made now is in the list. */
  async listsFollow(): Promise<void> {
    const { api } = this.gateways[1];
    const made = await api.say(`thread-${++this.threads}`, 'Hello');
    const { status, body } = await api.get('/v1/conversations?limit=20');
    const listed = body.data?.some(({ id }: { id: string }) => id === made.body.conversation_id);
    if (made.status !== 200 || !listed) throw new Error(`It was answered ${made.status}, and the list ${status} without it.`);
  }

  /** Resolves once each delivery process has its share of the partitions. */
  async deliveriesShare(): Promise<void> {
    const group = await DeliveryGroup.of(this.installation);
    await group.sharedBy(this.deliveries.length);
    await group.close();
  }

  /** Resolves once an appointment that is booked now has reached every endpoint, whichever partition its webhook is in. */
  async everyEndpointIsReached(): Promise<void> {
    const booked = await book(this.gateways[1].api);
    if (booked.status !== 201) throw new Error(`It was answered ${booked.status}.`);
    await this.isToldToAll(booked.body.id);
  }

  /** Resolves once all of these endpoints know of the appointment. */
  async isToldToAll(appointmentId: string, hooks: readonly Hook[] = this.hooks): Promise<void> {
    await eventually(() => {
      const silent = hooks.filter(({ requests }) => !requests.some(({ body }) => body.includes(appointmentId)));
      if (silent.length > 0) throw new Error(`${silent.length} endpoints do not know of it.`);
    });
  }
}
