import { type DynamicModule, Module } from '@nestjs/common';
import { Clock } from '@ports/clock.port';
import { Engine } from '@ports/engine.port';
import { EventStore } from '@ports/event-store.port';
import { ExpiringRecords } from '@ports/expiring-records.port';
import { MessageBus } from '@ports/message-bus.port';
import { ReadModels } from '@ports/read-models.port';
import { type EmbeddedPorts, portsOf, startOpening } from './open-embedded-engine.js';

export interface EmbeddedEngineOptions {
  readonly directory: string;
  /** Refuses a directory without a store instead of creating one. */
  readonly existing?: boolean;
}

const PORTS = Symbol('ports of the embedded engine');

const port = (token: unknown, name: keyof EmbeddedPorts) => ({
  provide: token as symbol,
  inject: [PORTS],
  useFactory: (ports: EmbeddedPorts) => ports[name],
});

/** All engine ports on the local disk. Needs a `Clock`. Call `Engine.close()` last. */
@Module({})
export class EmbeddedEngineModule {
  /** Starts opening the directory while other modules are being created. */
  static forRoot({ directory, existing = false }: EmbeddedEngineOptions): DynamicModule {
    const opening = startOpening(directory, existing);
    return {
      module: EmbeddedEngineModule,
      global: true,
      providers: [
        { provide: PORTS, inject: [Clock], useFactory: async (clock: Clock) => portsOf(await opening, clock) },
        port(EventStore, 'events'),
        port(ReadModels, 'readModels'),
        port(ExpiringRecords, 'records'),
        port(MessageBus, 'bus'),
        port(Engine, 'engine'),
      ],
      exports: [EventStore, ReadModels, ExpiringRecords, MessageBus, Engine],
    };
  }
}
