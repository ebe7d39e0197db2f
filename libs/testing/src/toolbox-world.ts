import { AppointmentToolboxes } from '@application/conversations/tools/appointment-toolboxes';
import { KnownAppointments } from '@application/conversations/tools/known-appointments';
import { appointmentsProjection } from '@application/appointments/appointments.projection';
import { NO_REQUEST } from '@application/runtime/request-context';
import type { ToolContext, TurnToolbox } from '@application/conversations/tools/toolboxes';
import { originOf } from './envelopes.js';
import { LEDGER_PROJECT, LedgerWorld, NINE_ON_MONDAY } from './ledger-world.js';

export const HAIRCUT = { service: 'haircut', starts_at: new Date(NINE_ON_MONDAY).toISOString() };

interface Told {
  readonly id: string;
  readonly service: string;
  readonly starts_at: string;
  readonly status: string;
}

/** The tools of turns over a ledger. */
export class ToolboxWorld {
  readonly known: KnownAppointments;
  private readonly toolboxes: AppointmentToolboxes;

  private constructor(readonly ledger: LedgerWorld) {
    const { appointments, booking, changing, ids, ports, fresh, clock } = ledger;
    this.known = new KnownAppointments(ports.events, ports.readModels, fresh, clock);
    this.toolboxes = new AppointmentToolboxes(appointments, this.known, booking, changing, ids, clock);
  }

  static async create(): Promise<ToolboxWorld> {
    const ledger = await LedgerWorld.create();
    return new ToolboxWorld(await ledger.hosting({ projections: [appointmentsProjection as never] }));
  }

  close(): Promise<void> {
    return this.ledger.close();
  }

  /** Opens the toolbox of a new turn, or of the retried turn of `context.messageId`. */
  open(context: Partial<ToolContext> = {}): TurnToolbox {
    return this.toolboxes.open({
      projectId: LEDGER_PROJECT,
      conversationId: 'conv_1',
      revision: 1,
      customerId: null,
      timeZone: 'UTC',
      messageId: this.ledger.ids.next('message'),
      request: NO_REQUEST,
      isRetry: context.messageId !== undefined,
      windowEndsAt: Infinity,
      givenUp: new AbortController().signal,
      ...context,
    });
  }

  async customer(): Promise<string> {
    const { customers, ids } = this.ledger;
    const { customer } = await customers.link(
      LEDGER_PROJECT,
      { phone: '+4915112345678' },
      ids.next('customer'),
      originOf('link'),
    );
    return customer.id;
  }
}

/** Calls a tool and returns the appointment of its result. Throws on a refusal. */
export async function told(tools: TurnToolbox, name: string, args: object): Promise<Told> {
  const answer = await tools.call(name, args);
  if (!answer.ok) throw new Error(answer.message);
  return answer.result['appointment'] as Told;
}

/** The result of `find_appointments`: each service with its status, sorted. */
export async function seen(tools: TurnToolbox): Promise<string[]> {
  const answer = await tools.call('find_appointments', {});
  if (!answer.ok) throw new Error(answer.message);
  return (answer.result['appointments'] as Told[]).map(({ service, status }) => `${service} ${status}`).sort();
}
