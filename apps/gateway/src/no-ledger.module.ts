import { Global, Module } from '@nestjs/common';
import { RememberedAppointments } from '@application/turns/customer-memory';
import { Toolboxes, type TurnToolbox } from '@application/turns/toolboxes';
import type { AppointmentSummary } from '@ports/agent.port';

/** No tools at all: an agent that asks for one is told that it does not exist. */
class NoToolboxes extends Toolboxes {
  override open(): TurnToolbox {
    return {
      tools: [],
      effects: [],
      call: () => Promise.resolve({ ok: false, code: 'unknown_tool', message: 'There are no tools.' }),
    };
  }
}

class NothingRemembered extends RememberedAppointments {
  override of(): Promise<readonly AppointmentSummary[]> {
    return Promise.resolve([]);
  }
}

const PROVIDERS = [
  { provide: Toolboxes, useClass: NoToolboxes },
  { provide: RememberedAppointments, useClass: NothingRemembered },
];

/** A service without an appointment ledger. */
@Global()
@Module({ providers: PROVIDERS, exports: [Toolboxes, RememberedAppointments] })
export class NoLedgerModule {}
