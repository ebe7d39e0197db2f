import { type DynamicModule, Module } from '@nestjs/common';
import { NodeAddressGuard } from '@adapters/webhook-sender/hardening/address-guard.node';
import { OpenAddressGuard } from '@adapters/webhook-sender/hardening/open-address-guard';
import { OpenAiAgent } from '@adapters/agent-openai/agent.openai';
import { SystemClock } from '@adapters/clock.system';
import { UlidIds } from '@adapters/ids.ulid';
import { MdastPlainText } from '@adapters/plain-text/plain-text.mdast';
import { NodeCryptoSecrets } from '@adapters/secrets.node-crypto';
import { SocketWebhookSender } from '@adapters/webhook-sender/webhook-sender.sockets';
import { ScriptedAgent } from '@agent-scripted/agent.scripted';
import { Shutdown } from '@application/runtime/shutdown';
import { LogTime, TrustedTime } from '@application/runtime/log-time';
import { LogTimeSweeper } from '@application/runtime/log-time.sweeper';
import { GIVEN_UP_AFTER_MS } from '@application/conversations/tools/toolboxes';
import { Config } from '@platform/config/config';
import { InstallationKey } from '@platform/config/installation-key';
import { Logger } from '@platform/logging/logger';
import { Metrics } from '@platform/operations/metrics';
import { AddressGuard } from '@ports/address-guard.port';
import { Agent } from '@ports/agent.port';
import { Clock } from '@ports/clock.port';
import { EventStore } from '@ports/event-store.port';
import { Ids } from '@ports/ids.port';
import { PlainText } from '@ports/plain-text.port';
import { Secrets } from '@ports/secrets.port';
import { Settings } from '@ports/settings.port';
import { NO_TRACER, Tracer } from '@ports/tracer.port';
import { OperatorSender, WebhookSender } from '@ports/webhook-sender.port';
import { AgentMetrics } from './operations/agent-metrics.js';
import { TracedAgent } from './operations/traced-agent.js';

const LOG_TIME = [
  {
    provide: LogTime,
    inject: [EventStore, Clock, Ids],
    useFactory: (store: EventStore, clock: Clock, ids: Ids) => new LogTime(store, clock, ids),
  },
  { provide: TrustedTime, useExisting: LogTime },
  LogTimeSweeper,
];

/** Binds the ports that no engine implements, and provides configuration, logger and metrics. */
@Module({})
export class AdaptersModule {
  static forRoot(config: Config, logger: Logger, key: InstallationKey, tracer = NO_TRACER): DynamicModule {
    const providers = [
      { provide: Config, useValue: config },
      { provide: Settings, inject: [LogTime], useFactory: (time: LogTime) => settingsOf(config, time) },
      { provide: Logger, useValue: logger },
      { provide: InstallationKey, useValue: key },
      { provide: Tracer, useValue: tracer },
      Metrics,
      Shutdown,
      { provide: Clock, useClass: SystemClock },
      ...LOG_TIME,
      { provide: Ids, inject: [Clock], useFactory: (clock: Clock) => new UlidIds(clock) },
      { provide: Secrets, useFactory: () => new NodeCryptoSecrets(key.bytes) },
      { provide: PlainText, useClass: MdastPlainText },
      { provide: Agent, inject: [Clock, Metrics], useFactory: agentOf(config, logger, tracer) },
      { provide: NodeAddressGuard, useFactory: () => guardOf(config) },
      { provide: AddressGuard, useExisting: NodeAddressGuard },
      {
        provide: WebhookSender,
        inject: [NodeAddressGuard, Clock],
        useFactory: (guard: NodeAddressGuard, clock: Clock) =>
          new SocketWebhookSender(guard, clock, { timeoutMs: config.webhookTimeoutMs }),
      },
      {
        provide: OperatorSender,
        inject: [Clock],
        useFactory: (clock: Clock) =>
          new SocketWebhookSender(new OpenAddressGuard(), clock, { timeoutMs: config.webhookTimeoutMs }),
      },
    ];
    return {
      module: AdaptersModule,
      global: true,
      providers,
      exports: providers.map((one) => ('provide' in one ? one.provide : one)),
    };
  }
}

/** Conversations end by the time of the log: if the clock is ahead of it, the idle time is longer by that. */
function settingsOf(config: Config, time: LogTime): Settings {
  const conversationIdleMs = { get: () => config.conversationIdleMs + time.leadMs };
  return Object.create(config, { conversationIdleMs }) as Settings;
}

function guardOf({ webhookAllowHttp: allowHttp, webhookAllowCidrs: allowCidrs }: Config): NodeAddressGuard {
  return new NodeAddressGuard({ allowHttp, allowCidrs });
}

function agentOf({ agent }: Config, logger: Logger, tracer: Tracer): (clock: Clock, metrics: Metrics) => Agent {
  const chosen = (clock: Clock): Agent => {
    switch (agent.kind) {
      case 'scripted':
        return new ScriptedAgent();
      case 'openai':
        return new OpenAiAgent({ ...agent, timeoutMs: GIVEN_UP_AFTER_MS }, clock, (line) => logger.warn(line, OpenAiAgent.name));
    }
  };
  const traced = (one: Agent): Agent => (tracer.isOn ? new TracedAgent(one, tracer) : one);
  return (clock, metrics) => new AgentMetrics(traced(chosen(clock)), clock, metrics);
}
