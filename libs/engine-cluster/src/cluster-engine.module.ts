import { type DynamicModule, Module } from '@nestjs/common';
import { Clock } from '@ports/clock.port';
import { Engine } from '@ports/engine.port';
import { EventStore } from '@ports/event-store.port';
import { ExpiringRecords } from '@ports/expiring-records.port';
import { MessageBus } from '@ports/message-bus.port';
import { ReadModels } from '@ports/read-models.port';
import type { ClusterSettings } from './cluster-settings.js';
import { type ClusterPorts, type ClusterUse, openClusterEngine } from './open-cluster-engine.js';

const PORTS = Symbol('ports of the cluster engine');

const port = (token: unknown, name: keyof ClusterPorts) => ({
  provide: token as symbol,
  inject: [PORTS],
  useFactory: (ports: ClusterPorts) => ports[name],
});

/** All engine ports on three servers. Needs a `Clock`. Call `Engine.close()` last. */
@Module({})
export class ClusterEngineModule {
  static forRoot(settings: ClusterSettings, use: ClusterUse): DynamicModule {
    return {
      module: ClusterEngineModule,
      global: true,
      providers: [
        { provide: PORTS, inject: [Clock], useFactory: (clock: Clock) => openClusterEngine(settings, use, clock) },
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
